import HTTPTypes
import HummingbirdTesting
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing
import UseCases

@testable import PhotolalaPortal

/// The look of the pages: theme and language of a browser, and the operator's brand.
@Suite struct AppearanceTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test("a theme and a language are chosen without an account, and the form returns to its page")
    func choice() async throws {
        try await TestService.make().exchange { http in
            var bob = PortalVisitor(http)
            let before = text(try await bob.send(.get, "/sign-in?to=devices"))
            #expect(before.contains("<html lang=\"en\" dir=\"ltr\">"))
            #expect(before.contains("name=\"to\" value=\"/sign-in?to=devices\""))
            let sent = try await bob.send(
                .post, "/appearance", json: "theme=dark&language=ja&to=%2Fsign-in%3Fto%3Ddevices", headers: Self.form)
            #expect(sent.status == .seeOther && sent.headers[.location] == "/sign-in?to=devices")
            let after = text(try await bob.send(.get, "/sign-in", headers: [.acceptLanguage: "de"]))
            #expect(after.contains("<html lang=\"ja\" dir=\"ltr\" data-theme=\"dark\">"))
            #expect(after.contains("value=\"ja\" lang=\"ja\" aria-pressed=\"true\""))
            _ = try await bob.send(.post, "/appearance", json: "theme=system&to=%2F", headers: Self.form)
            #expect(text(try await bob.send(.get, "/sign-in")).contains("<html lang=\"ja\" dir=\"ltr\">"))
        }
    }

    @Test("a page that answers a form offers no choice, which would lose what was typed")
    func answers() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let choice = "action=\"/appearance\""
            #expect(try await bob.page("/library/albums").contains(choice))
            let answer = text(try await bob.post("/library/albums", "name=%20"))
            #expect(answer.contains("Enter a name") && !answer.contains(choice))
        }
    }

    @Test(
        "another language keeps what was typed into a form, without putting it into an address",
        arguments: [("/device", "user_code"), ("/account/delete", "confirmation")])
    func typed(_ path: String, _ field: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page(path)
            let form = String(try #require(page.firstMatch(of: /<form method="post" action="[^"]+" id="([^"]+)"/)?.1))
            #expect(page.contains(#"lang="ja" aria-pressed="false" form="\#(form)" formnovalidate>"#))
            let answer = try await bob.post(path, "\(field)=A+%22B&language=ja")
            #expect(answer.status == .ok && text(answer).contains(#"name="\#(field)" value="A &quot;B""#))
            #expect(text(answer).contains("<html lang=\"ja\"") && text(answer).contains(#"form="\#(form)""#))
            #expect(try await bob.page("/library").contains("<html lang=\"ja\""))
            #expect(try await bob.post(path, "\(field)=A&language=fr").status == .badRequest)
        }
    }

    @Test("a value that does not exist, and the form of another site, change nothing")
    func refused() async throws {
        try await TestService.make().exchange { http in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            for (body, headers, status) in [
                ("theme=pink", [:], HTTPResponse.Status.badRequest), ("language=fr", [:], .badRequest),
                ("theme=dark", [site: "cross-site"], .forbidden), ("theme=dark", [site: "same-site"], .forbidden),
            ] as [(String, HTTPFields, HTTPResponse.Status)] {
                var fields = Self.form
                fields.append(contentsOf: headers)
                let sent = try await http.send(.post, "/appearance", json: body, headers: fields)
                #expect(sent.status == status && sent.headers[.setCookie] == nil, "\(body)")
            }
            #expect(try await http.send(.post, "/appearance", json: "{}").status == .unsupportedMediaType)
        }
    }

    @Test("the form returns to no other server")
    func returnPath() {
        for path in [
            "//evil.example", "/\\evil.example", "https://evil.example", "", "x", "/a b", "/\u{e4}", "/\r\nx:y",
        ] {
            #expect(AppearancePage.returnPath(path) == "/", "\(path)")
        }
        #expect(AppearancePage.returnPath(nil) == "/")
        #expect(AppearancePage.returnPath("/" + String(repeating: "x", count: 2048)) == "/")
        #expect(AppearancePage.returnPath("/library?from=3") == "/library?from=3")
    }

    @Test("pages show the operator's name, logo, color and links")
    func brand() async throws {
        let logo = try #require(BrandLogo(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)))
        let brand = ServiceBrand(
            name: "Bob & <Co>", logo: logo, accent: AccentColor("#8a1c5b"), termsURL: "https://bob.example/terms",
            privacyURL: "https://bob.example/privacy?a=1&b=2", supportURL: "mailto:help@bob.example",
            securityURL: "mailto:security@bob.example")
        try await TestService.make().exchange(brand) { http in
            let page = text(try await http.send(.get, "/"))
            #expect(page.contains("<title>Keep your photos safe · Bob &amp; &lt;Co&gt;</title>"))
            #expect(page.contains("Bob &amp; &lt;Co&gt; backs up your photos") && !page.contains("Photolala"))
            #expect(page.contains("<meta name=\"theme-color\" content=\"#8a1c5b\">"))
            for link in [
                "https://bob.example/terms", "https://bob.example/privacy?a=1&amp;b=2", "mailto:help@bob.example",
            ] {
                #expect(page.contains("<a href=\"\(link)\" rel=\"noopener\">"), "\(link)")
            }
            // Phones do not show an SVG as an icon.
            #expect(!page.contains("apple-touch-icon"))
            let path = try #require(page.firstMatch(of: /<img src="([^"]+)"/)?.1)
            let shown = try await http.send(.get, String(path))
            #expect(Array(shown.body.readableBytesView) == logo.bytes && shown.headers[.contentType] == "image/svg+xml")
            #expect(shown.headers[.contentSecurityPolicy] == "default-src 'none'; style-src 'unsafe-inline'")
            let style = try #require(page.firstMatch(of: /<link rel="stylesheet" href="([^"]+)"/)?.1)
            #expect(text(try await http.send(.get, String(style))).contains("--accent: light-dark(#8a1c5b, "))
            let manifest = text(try await http.send(.get, "/manifest.webmanifest"))
            #expect(manifest.contains("\"name\":\"Bob & <Co>\"") && !manifest.contains("icon-512"))
        }
    }

    @Test("the account page links to the operator's plans, and the library from 80 percent of the storage on")
    func plans() async throws {
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 100, products: [])])
        let service = try await TestService.make(options)
        try await service.exchange(ServiceBrand(plansURL: "https://bob.example/plans?a=1&b=2")) { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let link = "<a href=\"https://bob.example/plans?a=1&amp;b=2\" rel=\"noopener\">Get more storage</a>"
            #expect(try await bob.page("/account").contains("https://bob.example/plans?a=1&amp;b=2"))
            #expect(try await !bob.page("/library").contains(link))
            let key = StorageLayout.photo(
                try await LibraryPagesTests.user(service), md5: String(repeating: "a", count: 32))
            _ = try await service.store.put(
                ObjectKey(known: key), ByteBuffer(repeating: 1, count: 80), if: .always)
            try await service.services.usageCount.countUsage()
            #expect(try await bob.page("/library").contains(link))
        }
    }

    @Test(
        "the account menu shows the e-mail of the account, and the navigation the storage",
        arguments: [
            "/library", "/library/albums", "/account", "/account/links", "/account/devices", "/account/activity",
            "/library/shared",
        ])
    func account(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page(path)
            #expect(page.contains("popover>\n<p class=\"account\"><bdi>bob<wbr>@photolala<wbr>.example<wbr></bdi></p>"))
            #expect(page.contains(#"<span id="storage">0"#))
        }
    }

    @Test("security.txt names the operator's address and expires in 90 days, or does not exist")
    func security() async throws {
        let path = "/.well-known/security.txt"
        let service = try await TestService.make()
        try await service.exchange(ServiceBrand(securityURL: "https://bob.example/security")) { http in
            let found = try await http.send(.get, path)
            #expect(found.headers[.contentType] == "text/plain; charset=utf-8")
            let lines = text(found).split(separator: "\n").map(String.init)
            let expires = service.clock.now.addingTimeInterval(90 * 86_400).ISO8601Format()
            #expect(lines.first == "Contact: https://bob.example/security" && lines.contains("Expires: \(expires)"))
            #expect(lines.last?.hasPrefix("Canonical: http") == true && lines.last?.hasSuffix(path) == true)
        }
        try await TestService.make().exchange { http in
            let missing = try await http.send(.get, path)
            #expect(missing.status == .notFound)
        }
    }

    @Test("without a brand, the pages have Photolala's mark as logo, favicon and icon on phones")
    func standard() async throws {
        try await TestService.make().exchange { http in
            let page = text(try await http.send(.get, "/"))
            for pattern in [#/<link rel="apple-touch-icon" href="([^"]+)"/#, #/<link rel="icon" href="([^"]+)"/#] {
                let path = try #require(page.firstMatch(of: pattern)?.1)
                let icon = try await http.send(.get, String(path))
                #expect(icon.status == .ok && icon.body.readableBytes > 200)
            }
            let favicon = try await http.send(.get, "/favicon.ico")
            #expect(favicon.status == .ok && favicon.headers[.contentType] == "image/svg+xml")
            let manifest = text(try await http.send(.get, "/manifest.webmanifest"))
            for icon in manifest.matches(of: #/"src":"([^"]+)"/#) {
                let path = String(icon.1).replacing("\\/", with: "/")
                #expect(try await http.send(.get, path).status == .ok, "\(path)")
            }
            #expect(manifest.matches(of: #/"src"/#).count == 2)
        }
    }
}
