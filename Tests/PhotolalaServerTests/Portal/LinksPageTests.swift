import HummingbirdTesting
import PhotolalaTesting
import Testing

/// The page with the sign-in methods.
@Suite struct LinksPageTests {
    @Test("another account of a linked provider is called so, and the primary of several methods is explained")
    func names() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let alone = try await bob.page("/account/links")
            #expect(alone.contains("</svg>\(Self.another)") && alone.contains("</svg>Link Facebook</a>"))
            #expect(!alone.contains(Self.primary) && alone.contains(#"<span class="logo-of"><svg class="logo""#))
            let app = try await service.signIn(.google, "dev-bob", device: 5).session
            _ = try await service.link(.facebook, "bob", in: app)
            let both = try await bob.page("/account/links")
            #expect(both.contains("Link another Facebook account</a>"))
            #expect(both.matches(of: /Primary/).count == 1 && both.contains(Self.primary))
            #expect(both.contains(#"<form method="post" action="/account/unlink" data-dialog>"#))
        }
    }

    private static let another = "Link another Google account</a>"
    private static let primary = "Pages show your account under this method’s e-mail address."
}
