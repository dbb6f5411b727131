import Accounts
import DevelopmentIdentityProvider
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Authorization codes and their exchange, which runs beside the sign-ins that deliver them.
@Suite struct ProviderCallTests {
    private let device = TestService.device(1)

    private func issue(_ service: TestService, _ subject: String = "bob") throws -> DevelopmentTokenResponse {
        try service.apple.issueToken(DevelopmentTokenRequest(subject: subject))
    }

    private func signUp(_ service: TestService, code: String? = nil) async throws -> SignedIn {
        let proof = try issue(service)
        return try await service.services.signUp.signUp(
            SignUpRequest(
                provider: .apple, idToken: proof.idToken, authorizationCode: code ?? proof.authorizationCode,
                device: device
            )
        )
    }

    private func tokens(_ service: TestService, _ user: UserID) async throws -> [ProviderTokens.OpenedToken] {
        let documents = try await service.components.providerTokens.all(of: user)
        return try documents.flatMap { try service.components.providerTokens.open($0.value, user) }
    }

    private func calls(_ service: TestService) async throws -> Int {
        try await service.components.providerCalls.pendingKeys().count
    }

    /// Makes the pending provider calls, as the server does continuously.
    private func makeScheduled(_ service: TestService) async {
        let worker = Task { await service.services.providerCalls.makeScheduledProviderCalls() }
        var looks = 0
        while (try? await calls(service)) != 0, looks < 10_000 {
            looks += 1
            await Task.yield()
        }
        worker.cancel()
        await worker.value
    }

    /// Returns whether the provider still accepts a refresh token.
    private func counts(_ token: ProviderTokens.OpenedToken, _ service: TestService) async -> Bool {
        let apple = service.providers.tokenServices[.apple]
        return (try? await apple?.check(token.refreshToken, of: token.clientID)) != nil
    }

    @Test("a code is exchanged beside the sign-up, and the refresh token is stored sealed")
    func exchange() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service).user.serviceUserID
        // The sign-up is complete; only keys were requested from the provider.
        #expect(service.network.requests.allSatisfy { $0.hasSuffix("/keys") })
        await makeScheduled(service)
        let token = try #require(try await tokens(service, bob).first)
        #expect(await counts(token, service))
        for object in try await service.store.list(prefix: "", after: nil, limit: 1000).objects {
            let bytes = try #require(try await service.store.get(object.key)).bytes
            #expect(!String(buffer: bytes).contains(token.refreshToken), "\(object.key)")
        }
    }

    @Test("a provider that is unavailable does not block sign-up, and the code is retried while it is valid")
    func providerDown() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.google, "warm", device: 7)
        _ = try await service.signUp(.apple, "warm", device: 8)
        service.network.fail(with: .connectionLost("down"))
        let bob = try await signUp(service).user.serviceUserID
        for _ in 0..<2 {
            service.clock.advance(by: 61)
            try await service.services.providerCalls.makeProviderCalls()
            #expect(try await calls(service) == 1)
        }
        service.network.fail(with: nil)
        // The third attempt waits for two minutes.
        try await service.services.providerCalls.makeProviderCalls()
        #expect(try await calls(service) == 1)
        service.clock.advance(by: 61)
        try await service.services.providerCalls.makeProviderCalls()
        #expect(try await calls(service) == 0)
        #expect(try await tokens(service, bob).count == 1)
    }

    @Test("a code that could not be exchanged within five minutes is dropped")
    func expired() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service).user.serviceUserID
        service.clock.advance(by: 301)
        try await service.services.providerCalls.makeProviderCalls()
        #expect(try await calls(service) == 0)
        #expect(try await tokens(service, bob).isEmpty)
        #expect(service.network.requests.allSatisfy { $0.hasSuffix("/keys") })
    }

    @Test("a provider call of a stopped instance is made by another one, once and only after its minute is over")
    func otherCopy() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let service = try await TestService.make(store: store, clock: clock)
        let bob = try await signUp(service).user.serviceUserID
        var options = TestService.Options()
        options.seed = 2
        // It reaches the same provider: only the issuer of a code knows it.
        let other = try await TestService.make(options, store: store, clock: clock)
        try await other.services.providerCalls.makeProviderCalls()
        #expect(other.network.requests.isEmpty)
        clock.advance(by: 60)
        let key = try #require(try await other.components.providerCalls.pendingKeys().first)
        let taken = try await other.components.providerCalls.acquire(key)
        #expect(taken?.value.tries == 2)
        #expect(try await service.components.providerCalls.acquire(key) == nil)
        clock.advance(by: 121)
        try await service.services.providerCalls.makeProviderCalls()
        #expect(try await tokens(service, bob).count == 1)
    }

    @Test("a code of another person yields no token, and their token is not revoked")
    func foreignCode() async throws {
        let service = try await TestService.make()
        let stolen = try issue(service, "eve").authorizationCode
        let bob = try await signUp(service, code: stolen).user.serviceUserID
        await makeScheduled(service)
        #expect(try await tokens(service, bob).isEmpty)
        #expect(service.network.requests.contains { $0.hasSuffix("/oauth/token") })
        #expect(!service.network.requests.contains { $0.hasSuffix("/oauth/revoke") })
    }

    @Test("the code of a sign-in without an account is stored with the pending identity")
    func pending() async throws {
        let service = try await TestService.make()
        let proof = try issue(service)
        let request = SignInRequest(
            provider: .apple, idToken: proof.idToken, authorizationCode: proof.authorizationCode, device: device
        )
        let error = await ServiceError.caught { _ = try await service.services.signIn.signIn(request) }
        guard case .noAccountFound(let unknown)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(try await calls(service) == 0)
        let bob = try await service.services.signUp.signUp(
            SignUpRequest(pendingIdentity: unknown.pendingIdentity, device: device)
        )
        await makeScheduled(service)
        #expect(try await tokens(service, bob.user.serviceUserID).count == 1)
    }

    @Test("an empty code, one of more than 1,024 characters or not in ASCII is rejected before anything is spent")
    func limits() async throws {
        let service = try await TestService.make()
        let refusal = ServiceError.invalidRequest("authorizationCode must be 1 to 1,024 printable ASCII characters.")
        for code in ["", String(repeating: "c", count: 1025), "é", "c\n"] {
            await #expect(throws: refusal) {
                try await signUp(service, code: code)
            }
        }
        #expect(try await service.store.list(prefix: "accounts/", after: nil, limit: 1).objects.isEmpty)
    }

    @Test("unlinking revokes the tokens, even if the provider is temporarily unavailable")
    func unlinking() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service)
        let user = bob.user.serviceUserID
        await makeScheduled(service)
        _ = try await service.link(.google, "g", in: bob.session)
        let token = try #require(try await tokens(service, user).first)
        service.network.fail(with: .connectionLost("down"))
        try await service.unlink(.apple, in: bob.session)
        service.clock.advance(by: 61)
        try await service.services.providerCalls.makeProviderCalls()
        #expect(try await tokens(service, user).count == 1)
        service.network.fail(with: nil)
        #expect(await counts(token, service))
        service.clock.advance(by: 121)
        try await service.services.providerCalls.makeProviderCalls()
        #expect(try await tokens(service, user).isEmpty)
        #expect(await !counts(token, service))
        #expect(try await calls(service) == 0)
    }

    @Test("a revocation whose unlink never happened revokes nothing")
    func noUnlinking() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service)
        await makeScheduled(service)
        let user = bob.user.serviceUserID
        let link = try #require(bob.user.linkedProviders.first).linkID
        _ = try await service.components.providerCalls.enqueueRevocation(at: .apple, link: link, user)
        for seconds in [61.0, 121, 700] {
            service.clock.advance(by: seconds)
            try await service.services.providerCalls.makeProviderCalls()
        }
        #expect(try await calls(service) == 0)
        let token = try #require(try await tokens(service, user).first)
        #expect(await counts(token, service))
    }

    @Test("a link that ends while its code is exchanged stores no token")
    func endedMeanwhile() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service)
        _ = try await service.link(.google, "g", in: bob.session)
        let id = try await service.linkID(.apple, bob.session)
        let caller = try await service.caller(bob.session)
        service.network.beforeAnswering(to: "/oauth/token") {
            _ = try? await service.services.linking.unlink(UnlinkRequest(linkID: id), caller: caller)
        }
        await makeScheduled(service)
        #expect(try await tokens(service, bob.user.serviceUserID).isEmpty)
        #expect(service.network.requests.contains { $0.hasSuffix("/oauth/revoke") })
    }
}
