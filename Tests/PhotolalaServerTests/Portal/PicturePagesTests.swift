import Foundation
import HTTPTypes
import HummingbirdTesting
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The profile picture on the pages.
@Suite struct PicturePagesTests {
    private static func field(_ bytes: [UInt8]) -> String {
        "picture=\(Data(bytes).base64EncodedString().replacing("+", with: "%2B").replacing("=", with: "%3D"))"
    }

    /// Returns the address of the picture in the account menu; `nil` if it shows the icon only.
    private func shown(_ page: String) throws -> String? {
        let button = try #require(
            page.firstMatch(of: /<button[^>]*popovertarget="account-menu"[^>]*>(.*?)<\/button>/)?.1)
        #expect(button.contains("<svg"))
        return (button.firstMatch(of: /<img class="portrait" src="([^"]+)" alt="">/)?.1).map(String.init)
    }

    @Test func `every page shows the picture until it is removed, in another browser, too`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, phone) = (PortalVisitor(http), PortalVisitor(http))
            try await bob.signUp(service, as: "bob")
            _ = try await phone.signIn(service, as: "bob", from: "/sign-in")
            #expect(try shown(try await bob.page("/account")) == nil)
            #expect(try await bob.send(.get, "/account/picture").status == .notFound)
            let bytes = PhotoBytes.picture(1, width: 256, height: 256)
            let saved = try await bob.post("/account/picture", Self.field(bytes))
            #expect(saved.headers[.location] == "/account?saved=picture#picture")
            let address = try #require(try shown(try await phone.page("/library")))
            for path in ["/account", "/account/devices", "/library/albums"] {
                #expect(try shown(try await bob.page(path)) == address)
            }
            let read = try await phone.send(.get, address)
            #expect(read.status == .ok && Array(read.body.readableBytesView) == bytes)
            let asked = try await phone.post("/account/picture/remove", "")
            #expect(asked.status == .ok && String(buffer: asked.body).contains("Remove your picture?"))
            let removed = try await phone.post("/account/picture/remove", "confirmed=1")
            #expect(removed.headers[.location] == "/account?saved=picture#picture")
            #expect(try shown(try await bob.page("/library")) == nil)
        }
    }

    @Test func `the browser keeps the picture under the address of its version, and nothing else does`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            _ = try await bob.post("/account/picture", Self.field(PhotoBytes.webP(width: 8, height: 8)))
            let address = try #require(try shown(try await bob.page("/account")))
            let read = try await bob.send(.get, address)
            for (name, value) in [
                ("Content-Type", "image/webp"), ("X-Content-Type-Options", "nosniff"),
                ("Cache-Control", "private, max-age=2592000, immutable"),
                ("Content-Security-Policy", "default-src 'none'"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ] {
                #expect(read.headers[try #require(HTTPField.Name(name))] == value, "\(name)")
            }
            let tag = try #require(read.headers[.eTag])
            for other in ["/account/picture", "/account/picture?v=x"] {
                #expect(try await bob.send(.get, other).headers[.cacheControl] == "private, no-cache")
            }
            // The answer to a question for the same version reads no picture.
            let user = try #require(try await service.owner(.google, "dev-bob"))
            try await service.store.delete(ObjectKey(known: StorageLayout.picture(user)), if: .always)
            let same = try await bob.send(.get, address, headers: [.ifNoneMatch: tag])
            #expect(same.status == .notModified && same.body.readableBytes == 0)
            #expect(same.headers[.cacheControl] == "private, max-age=2592000, immutable")
            #expect(try await bob.send(.get, address, headers: [.ifNoneMatch: "\"x\""]).status == .notFound)
        }
    }

    @Test(arguments: ["", "picture=", "picture=%3Csvg%2F%3E", "picture=PHN2Zy8%2B"])
    func `a form without a picture changes nothing`(fields: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            #expect(try await bob.post("/account/picture", fields).status == .badRequest)
            #expect(try shown(try await bob.page("/account")) == nil)
        }
    }

    @Test(arguments: ["en", "de", "ja", "ko", "es"])
    func `the account page has the form in every language`(language: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            _ = try await bob.post("/account/picture", Self.field(PhotoBytes.png(width: 8, height: 8)))
            let page = String(
                buffer: try await bob.send(.get, "/account", headers: [.acceptLanguage: language]).body)
            let alternatives = ["Your picture", "Dein Bild", "あなたの写真", "내 사진", "Tu foto"]
            #expect(alternatives.filter { page.contains("alt=\"\($0)\"") }.count == 1)
            #expect(page.contains("action=\"/account/picture\"") && page.contains("<noscript>"))
            #expect(page.contains("action=\"/account/picture/remove\""))
        }
    }
}
