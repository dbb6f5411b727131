import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// What a page's script learns of the session of its browser.
@Suite struct PageSessionTests {
    private static let path = "/library/session"

    @Test("a page's script learns whether the session is of the account that the page names")
    func account() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var names: [String] = []
            for person in ["bob", "alice"] {
                var visitor = PortalVisitor(http)
                try await visitor.signUp(service, as: person)
                let page = try await visitor.page("/library/albums")
                let name = try #require(page.firstMatch(of: /role="search"[^>]* data-account="([^"]+)"/)?.1)
                #expect(try await visitor.page(Self.path) == #"{"account":"\#(name)"}"#)
                names.append(String(name))
            }
            #expect(names[0] != names[1])
        }
    }

    @Test("pages without another script name their account and check the session, and those for apps do not")
    func checks() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let own = try await bob.page(Self.path)
            let paths = [
                "/account/activity", "/account/data", "/account/delete", "/account/confirm", "/library/albums/new",
            ]
            for path in paths {
                let page = try await bob.page(path)
                let name = try #require(page.firstMatch(of: /<header class="top" data-account="([^"]+)"/)?.1, "\(path)")
                #expect(own == #"{"account":"\#(name)"}"#)
                #expect(page.contains(/<script type="module" src="[^"]+\/signed_in.js">/), "\(path)")
            }
            let question = try await bob.post("/account/sign-out-everywhere", "")
            #expect(String(buffer: question.body).contains("/signed_in.js"))
            #expect(question.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            let device = try await bob.page("/device")
            #expect(device.contains(#"<header class="top">"#) && !device.contains("/signed_in.js"))
        }
    }

    @Test("after signing out, a page's script is refused with 401")
    func ended() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            // The other tab still sends the cookie that the browser had.
            var other = PortalVisitor(http, cookies: bob.cookies)
            #expect(try await bob.post("/account/sign-out", "").status == .seeOther)
            let refused = try await other.send(.get, Self.path, headers: [.accept: "application/json"])
            #expect(refused.status == .unauthorized)
        }
    }
}
