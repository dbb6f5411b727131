import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The page that creates an export of the account and downloads it.
@Suite struct ExportPageTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    private static let page = "/account/data"
    private static let download = "/account/data/download"

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test(
        "the page states what an export has, its photos and how long it is available, in every language",
        arguments: [
            (
                "en", "including those in the trash", "Create export",
                ["export contains 1 item.<", "Available until September 28, 2026 at 2:13", "no longer has 1 item."]
            ),
            (
                "de", "auch die im Papierkorb", "Export erstellen",
                ["Export enthält 1 Element.<", "Verfügbar bis 28. September 2026", "gibt es 1 Element nicht mehr."]
            ),
            (
                "ja", "（ゴミ箱を含む）", "エクスポートを作成",
                ["写真と動画が 1 件含まれています。<", "ダウンロード期限: 2026年9月28日", "写真と動画が 1 件あります。"]
            ),
            (
                "ko", "(휴지통 포함)", "내보내기 만들기",
                ["사진과 동영상 1개가 들어 있습니다.<", "다운로드 기한: 2026년 9월 28일", "사진과 동영상이 1개 있습니다."]
            ),
            (
                "es", "incluidos los de la papelera", "Crear exportación",
                [
                    "exportación contiene 1 elemento.<", "Disponible hasta el 28 de septiembre de 2026",
                    "ya no tiene 1 elemento.",
                ]
            ),
        ])
    func contents(_ language: String, _ trash: String, _ button: String, _ facts: [String]) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = try await bob(service, http)
            let caller = try await caller(bob, service)
            try await store(["1.jpg", "2.jpg"], of: caller, service)
            _ = try await service.store.delete(Self.key(of: "2.jpg", caller.user), if: .always)
            let empty = text(try await bob.send(.get, Self.page, headers: [.acceptLanguage: language]))
            #expect(empty.contains(trash) && empty.contains("<button>\(button)") && !empty.contains(Self.download))
            #expect(try await create(&bob).headers[.location] == Self.page)
            let shown = text(try await bob.send(.get, Self.page, headers: [.acceptLanguage: language]))
                .replacing("\u{202f}", with: " ")
            for part in facts + [#"href="\#(Self.download)""#, "missing.json", #"class="quiet">\#(button)"#] {
                #expect(shown.contains(part), "\(part) in \(shown)")
            }
            let account = text(try await bob.send(.get, "/account"))
            #expect(account.contains(#"href="\#(Self.page)""#))
        }
    }

    @Test("a download returns the archive, a part of it and, for HEAD, its size")
    func downloads() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = try await bob(service, http)
            try await store(["1.jpg"], of: try await caller(bob, service), service)
            #expect(try await bob.send(.get, Self.download).headers[.location] == Self.page)
            _ = try await create(&bob)
            let whole = try await bob.send(.get, Self.download)
            #expect(whole.status == .ok && whole.headers[.contentType] == "application/zip")
            #expect(whole.headers[.contentDisposition] == "attachment; filename=\"photolala-2026-09-21.zip\"")
            #expect(whole.headers[.xContentTypeOptions] == "nosniff" && whole.headers[.cacheControl] == "no-store")
            let bytes = Array(whole.body.readableBytesView)
            #expect(bytes.starts(with: "PK".utf8))
            let tag = try #require(whole.headers[.eTag])
            let rest = try await bob.send(.get, Self.download, headers: [.range: "bytes=100-", .ifRange: tag])
            #expect(rest.status == .partialContent && Array(rest.body.readableBytesView) == Array(bytes[100...]))
            let past = try await bob.send(.get, Self.download, headers: [.range: "bytes=\(bytes.count)-"])
            #expect(past.status == .rangeNotSatisfiable && past.headers[.contentRange] == "bytes */\(bytes.count)")
            let head = try await bob.send(.head, Self.download)
            #expect(head.status == .ok && head.headers[.contentLength] == "\(bytes.count)")
            #expect(head.body.readableBytes == 0)
            // The archive of another export has another entity tag: a download does not mix the two.
            _ = try await create(&bob)
            let other = try await bob.send(.get, Self.download, headers: [.range: "bytes=100-", .ifRange: tag])
            #expect(other.status == .ok)
            service.clock.advance(by: AccountExportService.validity)
            #expect(try await bob.send(.get, Self.download).headers[.location] == Self.page)
        }
    }

    @Test("without recent authentication the page leads to the sign-in and back, and the export stays available")
    func reauthentication() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = try await bob(service, http)
            _ = try await create(&bob)
            service.clock.advance(by: 601)
            let confirm = "/account/confirm?to=%2Faccount%2Fdata"
            let shown = text(try await bob.send(.get, Self.page))
            #expect(shown.contains(#"href="\#(confirm)""#) && !shown.contains("Create export"))
            #expect(try await create(&bob).headers[.location] == confirm)
            #expect(try await bob.send(.get, Self.download).status == .ok)
            let choices = text(try await bob.send(.get, confirm))
            let link = try #require(choices.firstMatch(of: /href="(\/account\/confirm\/google\?[^"]+)"/)?.1)
            let back = try await bob.follow(String(link), service, as: "bob")
            #expect(back.headers[.location] == Self.page)
            #expect(text(try await bob.send(.get, Self.page)).contains("Create export"))
        }
    }

    @Test("while the deletion is scheduled, an export can be created and downloaded until the erasure")
    func deleting() async throws {
        var options = TestService.Options()
        options.deletionUndoPeriod = 86_400
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var bob = try await bob(service, http)
            _ = try await bob.send(
                .post, "/account/delete", json: "form_token=\(try await bob.formToken())&confirmation=DELETE",
                headers: Self.form)
            _ = try await bob.signIn(service, as: "bob", from: "/sign-in")
            #expect(text(try await bob.send(.get, "/account")).contains(#"href="\#(Self.page)""#))
            #expect(try await create(&bob).headers[.location] == Self.page)
            let shown = text(try await bob.send(.get, Self.page))
            #expect(shown.contains("Your account will be deleted on September 22, 2026"))
            #expect(shown.contains("Available until September 22, 2026"))
            #expect(try await bob.send(.get, Self.download).status == .ok)
        }
    }

    @Test("an export that is not stored is not downloaded, and the page says so")
    func unfinished() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = try await bob(service, http)
            _ = try await create(&bob)
            let caller = try await caller(bob, service)
            let id = try #require(caller.account.value.export?.id)
            try await service.store.delete(
                ObjectKey(known: StorageLayout.exportHead(caller.user, id)), if: .always)
            let location = try #require(try await bob.send(.get, Self.download).headers[.location])
            #expect(text(try await bob.send(.get, location)).contains("The export isn’t complete yet."))
            #expect(!text(try await bob.send(.get, Self.page)).contains("complete yet."))
        }
    }

    @Test("the page states that the photos of a damaged catalog have no names")
    func damaged() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = try await bob(service, http)
            let pointer = StorageLayout.catalogPointer(try await caller(bob, service).user)
            _ = try await service.store.put(ObjectKey(known: pointer), ByteBuffer(string: "damaged"), if: .always)
            #expect(try await create(&bob).headers[.location] == Self.page)
            let shown = text(try await bob.send(.get, Self.page))
            #expect(shown.contains("Your photo list is damaged.") && shown.contains("without their names"))
        }
    }

    /// Returns Bob's browser after he created an account.
    private func bob(_ service: TestService, _ http: HTTPExchange) async throws -> PortalVisitor {
        var bob = PortalVisitor(http)
        try await bob.signUp(service, as: "bob")
        return bob
    }

    private func caller(_ visitor: PortalVisitor, _ service: TestService) async throws -> Caller {
        let cookie = try #require(visitor.cookies["__Host-photolala-session"])
        return try await service.services.authenticator.authenticate(browserCookie: cookie)
    }

    /// Sends the form that creates an export, with the token of the account page.
    private func create(_ visitor: inout PortalVisitor) async throws -> TestResponse {
        let account = text(try await visitor.send(.get, "/account"))
        let token = try #require(account.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
        return try await visitor.send(.post, Self.page, json: "form_token=\(token)", headers: Self.form)
    }

    private static func photo(_ name: String) -> ByteBuffer {
        ByteBuffer(bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8) + Array(name.utf8))
    }

    private static func key(of name: String, _ user: UserID) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(user, md5: ContentDigest(of: photo(name)).description))
    }

    /// Adds photos to the library.
    private func store(_ names: [String], of caller: Caller, _ service: TestService) async throws {
        var arrivals: [UploadedPhoto] = []
        for name in names {
            _ = try await service.store.put(Self.key(of: name, caller.user), Self.photo(name), if: .always)
            arrivals.append(
                UploadedPhoto(
                    path: try #require(LibraryPath(name)), md5: ContentDigest(of: Self.photo(name)),
                    modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0)))
        }
        _ = try await service.services.libraryUploads.finishUploads(arrivals, caller: caller)
    }
}
