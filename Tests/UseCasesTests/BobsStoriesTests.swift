import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The user stories of the original product design, by name.
@Suite struct BobsStoriesTests {
    @Test("Day 1: Bob signs up with Apple and gets an account")
    func bobSignsUpWithApple() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "001234.5678abcd.9012", name: "Bob Smith")
        #expect(bob.user.primaryProvider == .apple)
        #expect(bob.user.linkedProviders.map(\.linkMethod) == [.created])
        #expect(bob.user.subscription == Subscription(tier: .free, storageLimit: 5_000_000_000))
        let shown = try await service.services.account.user(
            bob.user.serviceUserID, caller: try await service.caller(bob.session)
        )
        #expect(shown.displayName == "Bob Smith")
    }

    @Test("Day 30: Bob returns with the same provider and finds the same account")
    func bobReturns() async throws {
        let service = try await TestService.make()
        let created = try await service.signUp(.apple, "bob")
        service.clock.advance(by: 30 * 86_400)
        let returned = try await service.signIn(.apple, "bob", device: 2)
        #expect(returned.user.serviceUserID == created.user.serviceUserID)
    }

    @Test("Day 60: sign-in with an unknown provider reports that no account exists and creates nothing")
    func bobForgetsWhichProviderHeUsed() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let before = try await keys(service)
        let unknown = try await noAccount { _ = try await service.signIn(.google, "bob-at-google", device: 2) }
        #expect(unknown.provider == .google)
        #expect(!unknown.pendingIdentity.isEmpty)
        #expect(try await keys(service) == before)
    }

    @Test("Day 60: the pending identity creates an account without another authorization request")
    func bobCreatesAnAccountAfterAll() async throws {
        let service = try await TestService.make()
        let unknown = try await noAccount { _ = try await service.signIn(.google, "bob-at-google") }
        let created = try await service.services.signUp.signUp(
            SignUpRequest(pendingIdentity: unknown.pendingIdentity, device: TestService.device(1))
        )
        #expect(created.user.primaryProvider == .google)
        await #expect(throws: ServiceError.invalidPendingIdentity(.alreadyUsed)) {
            try await service.services.signUp.signUp(
                SignUpRequest(pendingIdentity: unknown.pendingIdentity, device: TestService.device(1))
            )
        }
    }

    @Test("Day 90: Bob links Google and both providers open the same account")
    func bobLinksGoogle() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let linked = try await service.link(.google, "bob-at-google", in: bob.session)
        #expect(linked.linkedProviders.map(\.provider) == [.apple, .google])
        let viaGoogle = try await service.signIn(.google, "bob-at-google", device: 3)
        let viaApple = try await service.signIn(.apple, "bob", device: 2)
        #expect(viaGoogle.user.serviceUserID == bob.user.serviceUserID)
        #expect(viaApple.user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("Bob tries Google first, signs in with Apple on the same device and links the pending identity")
    func bobLinksTheKeptIdentity() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob", device: 1)
        let unknown = try await noAccount { _ = try await service.signIn(.google, "g", device: 2) }
        let bob = try await service.signIn(.apple, "bob", device: 2)
        let linked = try await service.services.linking.link(
            LinkRequest(pendingIdentity: unknown.pendingIdentity), caller: try await service.caller(bob.session)
        )
        #expect(linked.linkedProviders.map(\.provider) == [.apple, .google])
    }

    @Test("a pending identity is rejected on another device")
    func keptIdentityStaysOnItsDevice() async throws {
        let service = try await TestService.make()
        let unknown = try await noAccount { _ = try await service.signIn(.google, "g", device: 2) }
        await #expect(throws: ServiceError.invalidPendingIdentity(.notAuthentic)) {
            try await service.services.signUp.signUp(
                SignUpRequest(pendingIdentity: unknown.pendingIdentity, device: TestService.device(3))
            )
        }
    }

    private func keys(_ service: TestService) async throws -> [String] {
        try await service.store.list(prefix: "", after: nil, limit: 1000).objects.map(\.key.description)
    }

    private func noAccount(_ act: () async throws -> Void) async throws -> UnknownIdentity {
        do {
            try await act()
        } catch ServiceError.noAccountFound(let unknown) {
            return unknown
        }
        throw ConformanceFailure("an account was found")
    }
}
