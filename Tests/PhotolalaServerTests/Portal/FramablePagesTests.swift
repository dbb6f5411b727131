import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// Which pages may be framed, and by whom.
@Suite struct FramablePagesTests {
    private static func framing(_ response: TestResponse) throws -> [String] {
        let rules = response.headers[.contentSecurityPolicy]?.split(separator: "; ").map(String.init) ?? []
        let option = response.headers[try #require(HTTPField.Name("X-Frame-Options"))]
        return rules.filter { $0.hasPrefix("frame-") } + ["\(option ?? "")"]
    }

    @Test(
        "our own origin may frame the pages of the library and those to which they redirect",
        arguments: [
            "/library/trash", "/library/shared", "/library/photo", "/library/albums/edit", "/account/confirm",
            "/sign-in",
        ])
    func framable(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.send(.get, path)
            #expect([.ok, .notFound].contains(page.status))
            #expect(try Self.framing(page) == ["frame-ancestors 'self'", "SAMEORIGIN"])
        }
    }

    @Test(
        "no site may frame another page",
        arguments: ["/account", "/account/devices", "/create-account", "/deletion", "/librarynot"])
    func unframable(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.send(.get, path, headers: [.accept: "text/html"])
            #expect(try Self.framing(page) == ["frame-ancestors 'none'", "DENY"])
        }
    }

    @Test(
        "our own origin may frame the pages that upload photos, and only these may have frames, of our own origin",
        arguments: [
            "/library", "/library/favorites", "/library/archive", "/library/albums", "/library/places", "/library?q=x",
        ])
    func framing(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.send(.get, path)
            #expect(try Self.framing(page) == ["frame-ancestors 'self'", "frame-src 'self'", "SAMEORIGIN"])
        }
    }
}
