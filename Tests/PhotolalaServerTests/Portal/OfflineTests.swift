import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// What a browser may keep of the library for reading without a connection, and when it deletes it.
@Suite struct OfflineTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    private func field(_ name: String, _ response: TestResponse) throws -> String? {
        response.headers[try #require(HTTPField.Name(name))]
    }

    @Test("only pages of photos, favorites and albums may be kept, and they name their account and version")
    func marks() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, alice) = (PortalVisitor(http), PortalVisitor(http))
            try await bob.signUp(service, as: "bob")
            try await alice.signUp(service, as: "alice")
            var owners: Set<String?> = []
            for path in ["/library", "/library/favorites", "/library/albums", "/library/places", "/library?q=lake"] {
                owners.insert(try field("Photolala-Offline", try await bob.send(.get, path)))
            }
            let owner = try #require(owners.first ?? nil)
            #expect(owners.count == 1 && owner.contains(/^[0-9a-f]{16}\/[0-9a-f]+$/))
            let version = try #require(owner.split(separator: "/").last)
            #expect(try await bob.page("/library").contains("/assets/\(version)/library.js"))
            #expect(try field("Photolala-Offline", try await alice.send(.get, "/library")) != owner)
            for path in ["/library/trash", "/account", "/account/devices", "/library/offline", "/", "/sign-in"] {
                #expect(try field("Photolala-Offline", try await bob.send(.get, path)) == nil, "\(path)")
            }
            #expect(try field("Photolala-Offline", try await http.send(.get, "/library")) == nil)
        }
    }

    @Test("the worker reads only its server and the store, works below the library, and needs a session")
    func worker() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let path = "/library/service_worker.js"
            #expect(try await http.send(.get, path).status == .seeOther)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let worker = try await bob.send(.get, path)
            #expect(worker.status == .ok && worker.headers[.cacheControl] == "no-cache")
            #expect(worker.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(try field("Service-Worker-Allowed", worker) == "/library")
            #expect(
                worker.headers[.contentSecurityPolicy]
                    == "default-src 'none'; connect-src 'self' http://127.0.0.1:9000")
            let script = text(worker).replacing("\\/", with: "/")
            #expect(script.contains("const store = \"http://127.0.0.1:9000\";") && !script.contains("heif.wasm"))
            #expect(!script.contains("/coastline.svg") && script.contains("/world.svg"))
            let listed = try #require(script.firstMatch(of: /const assets = (\[[^\]]+\]);/)?.1)
            let assets = try JSONDecoder().decode([String].self, from: Data(listed.utf8))
            #expect(assets.contains { $0.hasSuffix("/offline.js") })
            for asset in assets { #expect(try await http.send(.get, asset).status == .ok, "\(asset)") }
        }
    }

    @Test("the choice of a browser ends with its session, and all but one delete what is kept")
    func choice() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            #expect(try await bob.page("/library").contains("data-mode=\"app\""))
            for (mode, clears) in [("on", false), ("app", true), ("off", true)] {
                let body = "form_token=\(try await bob.formToken())&mode=\(mode)"
                let sent = try await bob.send(.post, "/account/offline", json: body, headers: Self.form)
                let cleared = try field("Clear-Site-Data", sent)
                #expect(sent.status == .seeOther && (cleared != nil) == clears)
                #expect(try await bob.page("/library").contains("data-mode=\"\(mode)\""))
                #expect(try await bob.page("/account").contains("<option value=\"\(mode)\" selected>"))
            }
            #expect(try field("Photolala-Offline", try await bob.send(.get, "/library")) == nil)
            let token = "form_token=\(try await bob.formToken())"
            let unknown = try await bob.send(.post, "/account/offline", json: "\(token)&mode=all", headers: Self.form)
            #expect(unknown.status == .badRequest)
            #expect(
                try await bob.send(.post, "/account/offline", json: "mode=on", headers: Self.form).status != .seeOther)
            let left = try await bob.send(.post, "/account/sign-out", json: token, headers: Self.form)
            #expect(try field("Clear-Site-Data", left) == "\"storage\"")
            #expect(bob.cookies["__Host-photolala-offline"] == "")
        }
    }

    @Test("the page that replaces one that was not kept needs no session and is in the reader's language")
    func message() async throws {
        try await TestService.make().exchange { http in
            let page = try await http.send(.get, "/library/offline", headers: [.acceptLanguage: "de"])
            #expect(page.status == .ok && text(page).contains("Du bist offline"))
            #expect(text(page).contains("/offline.js\"></script>") && text(page).contains("href=\"/library\""))
        }
    }
}
