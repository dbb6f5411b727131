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

/// The page that deletes the account, and the notices while the deletion is scheduled.
@Suite struct DeletionPagesTests {
    static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    static let page = "/account/delete"

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test(
        "the page states what is deleted, how long it can be cancelled and the word to type, in every language",
        arguments: [
            (
                "en", "For 14 days,", "Photos and videos use 7 B (1 item, including the trash).",
                "Other data uses 18 B (2 items).", "type DELETE."
            ),
            (
                "de", "14 Tage lang", "Fotos und Videos belegen 7 B (1 Element, mit Papierkorb).",
                "Andere Daten belegen 18 B (2 Elemente).", "DELETE ein."
            ),
            ("ja", "14 日間は", "写真と動画は 7 B を使用しています（1 件、ゴミ箱を含む）。", "その他のデータは 18 B を使用しています（2 件）。", "「DELETE」"),
            ("ko", "14일 동안", "사진과 동영상이 사용하는 공간은 7 B입니다(1개, 휴지통 포함).", "기타 데이터가 사용하는 공간은 18 B입니다(2개).", "DELETE를"),
            (
                "es", "Durante 14 días", "Las fotos y los vídeos usan 7 B (1 elemento, con la papelera).",
                "Los demás datos usan 18 B (2 elementos).", "escribe DELETE."
            ),
        ])
    func contents(_ language: String, _ days: String, _ photos: String, _ other: String, _ word: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let (bob, user) = try await bob(service, http)
            var visitor = bob
            for (key, content) in [
                (StorageLayout.photo(user, md5: String(repeating: "a", count: 32)), "content"),
                ("users/\(user)/x.json", "content"), (StorageLayout.catalogPointer(user), "pointer/cat"),
            ] {
                _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: content), if: .always)
            }
            try await service.services.usageCount.countUsage()
            let shown = text(try await visitor.send(.get, Self.page, headers: [.acceptLanguage: language]))
                .replacing("\u{a0}", with: " ")
            for part in [days, photos, other, word] { #expect(shown.contains(part), "\(part) in \(shown)") }
            #expect(!shown.contains("apps.apple.com"))
        }
    }

    @Test(
        "the page states the period for cancelling",
        arguments: [(0, "You can’t cancel the deletion."), (1, "For one day,"), (2, "For 2 days,")])
    func period(_ days: Double, _ expected: String) async throws {
        var options = TestService.Options()
        options.deletionUndoPeriod = days * 86_400
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var (bob, _) = try await bob(service, http)
            #expect(text(try await bob.send(.get, Self.page)).contains(expected))
            let done = text(try await delete(&bob))
            #expect(done.contains("Undo code") == (days > 0) && done.contains("Receipt code"))
        }
    }

    @Test("the page lists the subscriptions that Apple goes on billing, with Apple’s page")
    func subscriptions() async throws {
        let clock = TestClock()
        let appStore = try TestAppStore(clock: clock)
        let service = try await TestService.make(try appStore.options(), clock: clock)
        try await service.exchange { http in
            var (bob, user) = try await bob(service, http)
            let purchase = TestPurchase(TestAppStore.premium, id: "1", at: clock.now, for: user)
            _ = try await service.services.subscriptions.bindPurchase(
                AppStorePurchase(signedTransaction: try appStore.transaction(purchase)),
                caller: try await caller(bob, service))
            let shown = text(try await bob.send(.get, Self.page))
            #expect(shown.contains("Apple continues to bill") && shown.contains(TestAppStore.premium))
            #expect(shown.contains(#"href="\#(DeletionOverview.appStoreSubscriptionsURL)""#))
        }
    }

    @Test(
        "another confirmation shows the page again and changes nothing",
        arguments: ["confirmation=delete", "confirmation=", "confirmation=DELETE+it", "x=DELETE"])
    func wrongConfirmation(_ field: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, _) = try await bob(service, http)
            let refused = try await bob.send(
                .post, Self.page, json: "form_token=\(try await bob.formToken())&\(field)", headers: Self.form)
            #expect(refused.status == .badRequest && text(refused).contains("The text doesn’t match."))
            #expect(text(refused).contains(#"name="confirmation""#))
            #expect(try await caller(bob, service).account.value.state == .active)
        }
    }

    @Test("a deletion ends all sessions and shows each code on one page, in no address")
    func deletes() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, user) = try await bob(service, http)
            var phone = PortalVisitor(http)
            #expect(try await phone.signIn(service, as: "bob", from: "/sign-in").status == .seeOther)
            let done = try await delete(&bob, typed: "+DELETE+")
            #expect(done.status == .ok && done.headers[.location] == nil)
            #expect(done.headers[.cacheControl] == "no-store")
            let shown = text(done)
            #expect(shown.contains("Your account will be deleted on October 5, 2026"))
            let codes = Self.codes(in: shown)
            // Each is in the text and in the button that copies it.
            #expect(codes.count == 2 && codes.allSatisfy { shown.split(separator: $0).count == 3 })
            #expect(bob.cookies["__Host-photolala-session"]?.isEmpty == true)
            let removed = done.headers[values: .setCookie].filter { $0.hasPrefix("__Host-photolala-session=;") }
            #expect(removed.count == 1 && removed[0].contains("Max-Age=0"))
            for visitor in [bob, phone] {
                var visitor = visitor
                #expect(try await visitor.send(.get, "/account").headers[.location] == "/sign-in?to=account")
                let again = try await visitor.send(
                    .post, Self.page, json: "form_token=x&confirmation=DELETE", headers: Self.form)
                #expect(again.headers[.location] == "/sign-in?to=%2Faccount%2Fdelete")
            }
            #expect(try await service.components.accounts.account(user)?.value.state == .deleting)
        }
    }

    @Test("without recent authentication, the page and its form redirect to re-authentication")
    func reauthentication() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, _) = try await bob(service, http)
            let token = try await bob.formToken()
            service.clock.advance(by: 601)
            for typed in ["DELETE", "x"] {
                let refused = try await bob.send(
                    .post, Self.page, json: "form_token=\(token)&confirmation=\(typed)", headers: Self.form)
                #expect(refused.headers[.location] == "/account/confirm?to=%2Faccount%2Fdelete")
            }
            let page = try await bob.send(.get, Self.page)
            #expect(page.headers[.location] == "/account/confirm?to=%2Faccount%2Fdelete")
            let confirm = text(try await bob.send(.get, try #require(page.headers[.location])))
            let link = try #require(confirm.firstMatch(of: /href="(\/account\/confirm\/google\?[^"]+)"/)?.1)
            let back = try await bob.follow(String(link), service, as: "bob")
            #expect(back.headers[.location] == Self.page)
            #expect(try await bob.send(.get, Self.page).status == .ok)
        }
    }

    @Test("a form without the page’s token changes nothing", arguments: ["", "form_token=x"])
    func formToken(_ field: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, user) = try await bob(service, http)
            let refused = try await bob.send(
                .post, Self.page, json: "confirmation=DELETE&\(field)", headers: Self.form)
            #expect(refused.status == .forbidden && text(refused).contains(#"href="\#(Self.page)""#))
            #expect(try await service.components.accounts.account(user)?.value.state == .active)
            let codes = Self.codes(in: text(try await delete(&bob)))
            _ = try await bob.signIn(service, as: "bob", from: "/sign-in")
            let keep = try await bob.send(.post, "\(Self.page)/cancel", json: field, headers: Self.form)
            let undo = try await bob.send(
                .post, "/deletion", json: "undo_code=\(codes[0])&\(field)", headers: Self.form)
            #expect(keep.status == .forbidden && undo.status == .forbidden)
            #expect(text(undo).contains(#"href="/deletion""#))
            #expect(try await service.components.accounts.account(user)?.value.state == .deleting)
        }
    }

    @Test("an identity that may not delete the account sees why instead of the form")
    func newIdentity() async throws {
        var options = TestService.Options()
        options.unlinkDelay = 86_400
        let service = try await TestService.make(options)
        _ = try await service.signUp(.apple, "bob")
        service.clock.advance(by: 90_000)
        let session = try await service.signIn(.apple, "bob", device: 2).session
        _ = try await service.link(.google, "dev-eve", in: session)
        try await service.exchange { http in
            var eve = PortalVisitor(http)
            #expect(try await eve.signIn(service, as: "eve", from: "/sign-in").status == .seeOther)
            let shown = text(try await eve.send(.get, Self.page))
            #expect(shown.contains("This requires a sign-in method that you linked earlier."))
            #expect(!shown.contains(#"name="confirmation""#))
        }
    }

    @Test("while the deletion is scheduled, pages show a notice and refuse changes, and a button keeps the account")
    func deleting() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, user) = try await bob(service, http)
            try await trashPhoto(try await caller(bob, service), service)
            let before = text(try await bob.send(.get, "/account?kept=1"))
            #expect(before.contains(#"href="\#(Self.page)""#) && !before.contains("Keep my account"))
            _ = try await delete(&bob)
            _ = try await bob.signIn(service, as: "bob", from: "/sign-in")
            let account = text(try await bob.send(.get, "/account?kept=1"))
            #expect(account.contains("Your account will be deleted on October 5, 2026"))
            #expect(account.contains("Keep my account") && !account.contains(#"href="\#(Self.page)""#))
            #expect(!account.contains("was cancelled") && !account.contains("/account/profile"))
            let library = text(try await bob.send(.get, "/library"))
            #expect(library.contains("Your account will be deleted on October 5, 2026"))
            #expect(library.contains(#"<a href="/account">Keep my account</a>"#) && !library.contains("id=\"upload\""))
            service.clock.advance(by: 601)
            #expect(try await bob.send(.get, Self.page).headers[.location] == "/account")
            let trash = text(try await bob.send(.get, "/library/trash"))
            #expect(trash.contains("1.jpg") && !trash.contains("/account/confirm"))
            let token = String(try #require(account.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1))
            let md5 = String(repeating: "a", count: 32)
            for (path, fields, reason) in [
                ("/library/trash", "&\(md5)=1", "Nothing can be added or changed until you cancel it"),
                ("/library/trash/delete", "&\(md5)=1", "Cancel it first on your account page."),
                (Self.page, "&confirmation=DELETE", "Cancel it first on your account page."),
            ] {
                let refused = try await bob.send(
                    .post, path, json: "form_token=\(token)\(fields)", headers: Self.form)
                #expect(text(refused).contains(reason), "\(path)")
            }
            for _ in 0..<2 {
                let kept = try await bob.send(
                    .post, "\(Self.page)/cancel", json: "form_token=\(token)", headers: Self.form)
                #expect(kept.headers[.location] == "/account?kept=1")
            }
            let after = text(try await bob.send(.get, "/account?kept=1"))
            #expect(after.contains("The deletion was cancelled.") && after.contains("/account/profile"))
            #expect(try await service.components.accounts.account(user)?.value.state == .active)
            #expect(try await bob.formToken().isEmpty == false)
        }
    }

    @Test("the account page of an active account makes seven store requests")
    func cost() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, _) = try await bob(service, http)
            _ = try await bob.send(.get, "/account")
            _ = service.store.drainRequests()
            #expect(try await bob.send(.get, "/account").status == .ok)
            #expect(service.store.drainRequests().count == 7)
        }
    }

    /// Returns Bob's browser after he created an account.
    private func bob(_ service: TestService, _ http: HTTPExchange) async throws -> (PortalVisitor, UserID) {
        var bob = PortalVisitor(http)
        try await bob.signUp(service, as: "bob")
        return (bob, try await caller(bob, service).user)
    }

    private func caller(_ visitor: PortalVisitor, _ service: TestService) async throws -> Caller {
        let cookie = try #require(visitor.cookies["__Host-photolala-session"])
        return try await service.services.authenticator.authenticate(browserCookie: cookie)
    }

    /// Puts a photo into the trash.
    private func trashPhoto(_ caller: Caller, _ service: TestService) async throws {
        let photo = ByteBuffer(bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8))
        let md5 = ContentDigest(of: photo)
        let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: md5.description))
        _ = try await service.store.put(key, photo, if: .always)
        let arrival = UploadedPhoto(
            path: try #require(LibraryPath("1.jpg")), md5: md5,
            modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0))
        _ = try await service.services.libraryUploads.finishUploads([arrival], caller: caller)
        _ = try await service.services.library.moveToTrash([md5], caller: caller)
    }

    /// Deletes a visitor's account.
    private func delete(_ visitor: inout PortalVisitor, typed: String = "DELETE") async throws -> TestResponse {
        try await visitor.send(
            .post, Self.page, json: "form_token=\(try await visitor.formToken())&confirmation=\(typed)",
            headers: Self.form)
    }

    /// Returns the codes on a page, the undo code first.
    static func codes(in page: String) -> [String] {
        page.matches(of: /<code class="code">([^<]+)<\/code>/).map { String($0.1) }
    }
}
