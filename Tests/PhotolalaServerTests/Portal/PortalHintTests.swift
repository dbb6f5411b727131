import HummingbirdTesting
import PhotolalaTesting
import Testing

/// The hint on the pages, with the providers' default settings.
@Suite struct PortalHintTests {
    @Test("a Google sign-in gets a hint to an Apple account with the same verified address, and Apple comes first")
    func hintAcrossProviders() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            _ = try await http.signUp(
                .apple, try service.token(.apple, "bob", email: "bob@photolala.example"), device: 1)
            var bob = PortalVisitor(http)
            let unknown = try await bob.signIn(service, as: "bob", from: "/sign-in")
            let place = try #require(unknown.headers[.location])
            let page = String(buffer: try await bob.send(.get, place).body)
            #expect(page.contains("You already have an account with Apple."))
            let apple = try #require(page.range(of: "/sign-in/apple")?.lowerBound)
            let other = try #require(page.range(of: "/sign-in/facebook")?.lowerBound)
            #expect(apple < other)
        }
    }

    @Test("another address gets no hint")
    func otherAddress() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            _ = try await http.signUp(
                .apple, try service.token(.apple, "bob", email: "carol@photolala.example"), device: 1)
            var bob = PortalVisitor(http)
            let unknown = try await bob.signIn(service, as: "bob", from: "/sign-in")
            let page = String(buffer: try await bob.send(.get, try #require(unknown.headers[.location])).body)
            #expect(page.contains("No account found") && !page.contains("You already have an account"))
        }
    }
}
