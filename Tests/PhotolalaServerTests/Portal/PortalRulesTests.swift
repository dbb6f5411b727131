import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

@testable import PhotolalaPortal

/// The portal's rules over HTTP: the security policy of pages, and protection against requests from other sites.
@Suite struct PortalRulesTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let openPages = ["/", "/sign-in", "/create-account", "/deletion"]
    private static let accountPages = [
        "/account", "/account/links", "/account/devices", "/account/activity", "/account/confirm",
        "/account/link/google", "/account/confirm/apple", "/library", "/library/favorites", "/library/archive",
        "/library/trash",
        "/library/photo", "/library/albums", "/library/albums/edit", "/library/places",
        "/library/blocks", "/library/state", "/library/session", "/library/suggestions",
        "/library/shared", "/library/shared/new", "/library/shared/link",
        "/library/original", "/library/download", "/account/delete", "/account/data", "/account/data/download",
        "/account/picture",
    ]
    /// The place that the sign-in continues to from each page, as in its URL.
    private static let places = [
        "/account": "account", "/account/links": "links", "/account/devices": "devices",
        "/account/activity": "%2Faccount%2Factivity", "/account/confirm": "account", "/account/link/google": "links",
        "/account/confirm/apple": "account", "/library": "library", "/library/favorites": "%2Flibrary%2Ffavorites",
        "/library/archive": "%2Flibrary%2Farchive",
        "/library/trash": "%2Flibrary%2Ftrash", "/library/albums": "%2Flibrary%2Falbums",
        "/library/albums/edit": "%2Flibrary%2Falbums", "/library/shared": "%2Flibrary%2Fshared",
        "/library/shared/new": "%2Flibrary%2Fshared", "/library/shared/link": "%2Flibrary%2Fshared",
        "/library/places": "%2Flibrary%2Fplaces",
        "/library/photo": "%2Flibrary%2Fphoto", "/library/blocks": "library", "/library/state": "library",
        "/library/session": "library",
        "/library/suggestions": "library", "/library/original": "library",
        "/library/download": "library", "/account/delete": "%2Faccount%2Fdelete",
        "/account/data": "%2Faccount%2Fdata", "/account/data/download": "%2Faccount%2Fdata",
        "/account/picture": "account",
    ]
    private static let accountActs = [
        "/account/profile", "/account/picture", "/account/picture/remove", "/account/mail", "/account/sign-out",
        "/account/sign-out-everywhere",
        "/account/devices/remove",
        "/account/unlink", "/account/unlink/undo", "/account/link", "/library/trash", "/library/restore",
        "/library/trash/delete", "/library/trash/empty", "/account/delete", "/account/delete/cancel",
        "/account/data", "/library/recall", "/library/photo/recall", "/library/favorites", "/library/archive",
        "/library/links", "/library/albums", "/library/albums/add", "/library/albums/remove", "/library/albums/edit",
        "/library/albums/delete", "/library/shared/new", "/library/shared/link", "/library/shared/delete",
    ]

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test(
        "every page forbids scripts, frames, sniffing, referrers and caching",
        arguments: openPages)
    func headers(_ path: String) async throws {
        try await TestService.make().exchange { http in
            let page = try await http.send(.get, path)
            #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            // A library page that uploads photos shows the sign-in in its frame when the session ends.
            let (ancestors, option) = path == "/sign-in" ? ("'self'", "SAMEORIGIN") : ("'none'", "DENY")
            #expect(
                policy
                    == "default-src 'none'; style-src 'self'; manifest-src 'self'; base-uri 'none'; "
                    + "frame-ancestors \(ancestors); form-action 'self'; img-src 'self'"
            )
            for (name, value) in [
                ("X-Frame-Options", option), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ] {
                #expect(page.headers[try #require(HTTPField.Name(name))] == value, "\(name)")
            }
        }
    }

    @Test("a page without a session redirects to the sign-in, which returns to the page", arguments: accountPages)
    func signedOut(_ path: String) async throws {
        try await TestService.make().exchange { http in
            for cookie in [
                "", "__Host-photolala-session=x; __Host-photolala-browser=\(String(repeating: "A", count: 43))",
            ] {
                let page = try await http.send(.get, path, headers: [.cookie: cookie])
                let location = try #require(page.headers[.location])
                #expect(page.status == .seeOther && location.prefix { $0 != "?" } == "/sign-in", "\(location)")
                let place = try #require(Self.places[path])
                #expect(location == (place == "library" ? "/sign-in" : "/sign-in?to=\(place)"), "\(path)")
            }
        }
    }

    @Test(
        "a deep link survives the sign-in",
        arguments: [
            "/library/photo?id=0123456789abcdef0123456789abcdef&list=trash",
            // The longest search.
            "/library/photo?id=0123456789abcdef0123456789abcdef&q=\(String(repeating: "%E5%86%99", count: 200))",
        ])
    func deepLink(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let token = try await bob.formToken()
            let signedOut = try await bob.send(
                .post, "/account/sign-out", json: "form_token=\(token)", headers: [.contentType: Self.form])
            #expect(signedOut.status == .seeOther)
            let refused = try await bob.send(.get, path)
            let back = try await bob.signIn(service, as: "bob", from: try #require(refused.headers[.location]))
            #expect(back.headers[.location] == path)
        }
    }

    @Test(
        "an address that is not a page is not preserved across the sign-in",
        arguments: [
            "https://evil.example", "//evil.example", "/account/sign-out", "/library/../auth", "/libraryx", "/assets/x",
            "/library?\u{e4}", "/library?" + String(repeating: "x", count: 2100),
        ])
    func foreignPlaces(_ path: String) { #expect(PageLocation(path) == nil) }

    @Test("an act requires a session, a form body and a form token", arguments: accountActs)
    func action(_ path: String) async throws {
        try await TestService.make().exchange { http in
            let sent = try await http.send(.post, path, json: "form_token=x", headers: [.contentType: Self.form])
            #expect(sent.status == .seeOther && sent.headers[.location]?.hasPrefix("/sign-in") == true)
            #expect(try await http.send(.post, path, json: "{}").status == .unsupportedMediaType)
            #expect(try await http.send(.get, path).status != .ok)
        }
    }

    @Test("a provider sign-in can start only from our own page")
    func begin() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let page = try await http.send(.get, "/sign-in")
            let cookie = try #require(page.headers[.setCookie]?.prefix { $0 != ";" })
            let found = try #require(text(page).firstMatch(of: /href="(\/sign-in\/google\?[^"]+)"/)?.1)
            let link = String(found).replacing("&amp;", with: "&")
            let away = try await http.send(.get, String(link), headers: [.cookie: String(cookie)])
            let location = try #require(away.headers[.location])
            #expect(away.status == .seeOther && location.hasPrefix("\(service.google.issuer)/oauth/authorize?"))
            for wanted in [
                "response_type=code", "code_challenge_method=S256", "&state=", "&nonce=",
                "scope=openid%20email%20profile",
                "redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback%2Fgoogle",
            ] {
                #expect(location.contains(wanted), "\(wanted)")
            }
            let other = "__Host-photolala-browser=\(String(repeating: "A", count: 43))"
            for (path, cookie) in [
                ("/sign-in/google", ""), ("/sign-in/google", String(cookie)),
                ("/sign-in/google?form_token=x", String(cookie)), (link, other),
            ] {
                let refused = try await http.send(.get, path, headers: [.cookie: cookie])
                #expect(refused.status == .seeOther && refused.headers[.location] == "/sign-in")
            }
            // A browser without the page's cookie gets an explanation.
            let shy = try await http.send(.get, link)
            #expect(shy.status == .badRequest && text(shy).contains("Cookies required"))
            // An address of another site is not a place.
            let astray = try await http.send(
                .get, link.replacing("to=account", with: "to=https://evil.example"), headers: [.cookie: String(cookie)])
            #expect(astray.headers[.location]?.hasPrefix("\(service.google.issuer)/") == true)
        }
    }

    @Test("a callback without a valid authorization request returns 401, sets no cookie and explains it")
    func callback() async throws {
        try await TestService.make().exchange { http in
            for path in [
                "/callback/google", "/callback/google?state=x&code=y", "/callback/apple?answer=x", "/callback/unknown",
                "/callback/google?error=access_denied&state=",
            ] {
                let page = try await http.send(.get, path, headers: [.acceptLanguage: "de"])
                #expect(
                    page.status == .unauthorized && text(page).contains("Anmeldung abgelaufen"), "\(path)")
                #expect(page.headers[.setCookie] == nil)
            }
            let twice = try await http.send(.get, "/callback/google?state=a&state=b")
            #expect(twice.status == .badRequest)
            let posted = try await http.send(
                .post, "/callback/apple", json: "state=s&code=c&user=%7B%7D&id_token=t",
                headers: [.contentType: Self.form])
            #expect(posted.status == .seeOther && posted.headers[.setCookie] == nil)
            let location = try #require(posted.headers[.location])
            #expect(location.hasPrefix("/callback/apple?answer=") && !location.contains("code="))
            #expect(try await http.send(.get, location).status == .unauthorized)
        }
    }

    @Test("an unknown page returns an HTML error, and an API error stays a problem document")
    func unknown() async throws {
        try await TestService.make().exchange { http in
            #expect(try await http.send(.get, "/sign-in/unknown").headers[.location] == "/sign-in")
            let nowhere = try await http.send(.get, "/account/nowhere")
            #expect(nowhere.status == .notFound && text(nowhere).contains("This page doesn’t exist or was removed."))
            #expect(try await http.send(.head, "/callback/google?state=x&code=y").status == .methodNotAllowed)
            #expect(try await http.send(.post, "/callback/google", json: "state=x").status == .notFound)
            let call = try await http.send(.get, "/auth/devices")
            #expect(call.headers[.contentType] == "application/problem+json")
        }
    }

    @Test("an unknown address returns a page to a browser and a problem document to other clients")
    func unknownAddress() async throws {
        try await TestService.make().exchange { http in
            let page = try await http.send(
                .get, "/photos/of/mine", headers: [.accept: "text/html,application/xhtml+xml", .acceptLanguage: "de"])
            #expect(page.status == .notFound && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(text(page).contains("Seite nicht gefunden"))
            for (method, accept) in [(HTTPRequest.Method.get, "*/*"), (.post, "text/html")] {
                let call = try await http.send(method, "/photos/of/mine", headers: [.accept: accept])
                #expect(call.status == .notFound && call.headers[.contentType] == "application/problem+json")
            }
            let call = try await http.send(.get, "/auth/devices", headers: [.accept: "text/html"])
            #expect(call.headers[.contentType] == "application/problem+json")
        }
    }

    @Test("an error of a deletion or export endpoint is a problem document, not a page")
    func endpoints() async throws {
        try await TestService.make().exchange { http in
            let get = try await http.send(.get, "/account/deletion")
            #expect(get.status == .unauthorized)
            #expect(try http.problem(get).code == .unauthorized)
            let receipt = try await http.send(
                .post, "//account/deletion/receipt", json: #"{"receiptCode":"x"}"#)
            #expect(receipt.status == .notFound)
            #expect(try http.problem(receipt).code == .notFound)
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try http.problem(try await http.send(method, "/account/export")).code == .unauthorized)
            }
        }
    }

    @Test(
        "an act that is hard to undo requires confirmation",
        arguments: [
            "/account/unlink", "/account/devices/remove", "/account/sign-out-everywhere",
        ])
    func questions(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let token = try await bob.formToken()
            let links = text(try await bob.send(.get, "/account/links"))
            let devices = text(try await bob.send(.get, "/account/devices"))
            let link = try #require((links.firstMatch(of: /name="link" value="([^"]+)"/)?.1).map(String.init) ?? "none")
            let device = String(try #require(devices.firstMatch(of: /name="device" value="([^"]+)"/)?.1))
            let fields = "form_token=\(token)&device=\(device)&link=\(link)"
            let form: HTTPFields = [.contentType: Self.form]
            let asked = try await bob.send(.post, path, json: fields, headers: form)
            if path == "/account/unlink" {
                // The only sign-in method has no unlink form.
                #expect(asked.status == .notFound)
            } else {
                #expect(asked.status == .ok && text(asked).contains("name=\"confirmed\" value=\"1\""))
                #expect(text(asked).contains("action=\"\(path)\""))
            }
            #expect(try await bob.send(.get, "/account").status == .ok)
            guard path != "/account/unlink" else { return }
            let done = try await bob.send(.post, path, json: fields + "&confirmed=1", headers: form)
            #expect(done.status == .seeOther)
            #expect(try await bob.send(.get, "/account").headers[.location] == "/sign-in?to=account")
        }
    }

    @Test(
        "the confirmation states in every language how long devices keep storage access",
        arguments: [false, true], ["en", "de", "ja", "ko", "es"])
    func outlasts(_ onBucket: Bool, _ language: String) async throws {
        var options = TestService.Options()
        options.credentialLifetime = 1801
        if onBucket { options.credentialIssuer = GrantRecorder() }
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let app = try await service.signIn(.google, "dev-bob", device: 5).session
            _ = try await service.link(.facebook, "bob", in: app)
            let token = try await bob.formToken()
            let words: HTTPFields = [.acceptLanguage: language, .contentType: Self.form]
            let devices = text(try await bob.send(.get, "/account/devices", headers: words))
            let device = String(try #require(devices.firstMatch(of: /name="device" value="([^"]+)"/)?.1))
            let fields = "form_token=\(token)&device=\(device)&link=\(try await service.linkID(.facebook, app))"
            var pages = [devices]
            for path in ["/account/sign-out-everywhere", "/account/devices/remove", "/account/unlink"] {
                pages.append(text(try await bob.send(.post, path, json: fields, headers: words)))
            }
            for page in pages {
                #expect(page.contains(/31[\s\u{a0}]?(minutes|Minuten|分|분|minutos)/) == onBucket, "\(page)")
            }
        }
    }

    @Test("a week is stated in days", arguments: ["en", "de", "ja", "ko", "es"])
    func outlastsForDays(_ language: String) async throws {
        var options = TestService.Options()
        options.uploadAddressLifetime = 604_800
        options.credentialIssuer = GrantRecorder()
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = text(try await bob.send(.get, "/account/devices", headers: [.acceptLanguage: language]))
            #expect(page.contains(/\b7[\s\u{a0}]?(days|Tage|日|일|días)/), "\(page)")
        }
    }

    @Test(
        "after a removal the page states in every language when the device's access to photos ends",
        arguments: [false, true], ["en", "de", "ja", "ko", "es"])
    func removed(_ onBucket: Bool, _ language: String) async throws {
        var options = TestService.Options()
        options.credentialLifetime = 1800
        if onBucket { options.credentialIssuer = GrantRecorder() }
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            var phone = PortalVisitor(http)
            #expect(try await phone.signIn(service, as: "bob", from: "/sign-in").status == .seeOther)
            let cards = text(try await bob.send(.get, "/account/devices")).split(separator: "<li>")
            // The current browser is marked.
            let other = try #require(cards.last { $0.contains("name=\"device\"") && !$0.contains("<small>") })
            let device = String(try #require(other.firstMatch(of: /name="device" value="([^"]+)"/)?.1))
            let fields = "form_token=\(try await bob.formToken())&device=\(device)&confirmed=1"
            let done = try await bob.send(
                .post, "/account/devices/remove", json: fields, headers: [.contentType: Self.form])
            let words: HTTPFields = [.acceptLanguage: language]
            let page = text(try await bob.send(.get, try #require(done.headers[.location]), headers: words))
            // 1,790,000,000 is 14:13:20 in UTC; the minute is rounded up.
            #expect(page.contains(/<p class="notice" role="status">[^<]*UTC/) == onBucket)
            if onBucket { #expect(page.contains("14:44") || page.contains("2:44")) }
            let notice = #"<p class="notice" role="status">"#
            #expect(page.contains(notice))
            let plain = text(try await bob.send(.get, "/account/devices", headers: words))
            #expect(!plain.contains(notice))
            let foreign = text(try await bob.send(.get, "/account/devices?removed=1890000000", headers: words))
            #expect(!foreign.contains(notice))
        }
    }
}
