import Accounts
import DevelopmentIdentityProvider
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Sign-in with a Facebook access token that answers no challenge.
@Suite struct ClassicSignInTests {
    private func classicToken(_ service: TestService, _ subject: String = "218471") throws -> String {
        try #require(try service.facebook.issueToken(DevelopmentTokenRequest(subject: subject)).accessToken)
    }

    private func signIn(
        _ service: TestService, _ token: String, challenge: String? = nil, device: Int = 2
    ) async throws -> SignedIn {
        try await service.services.signIn.signIn(
            SignInRequest(
                provider: .facebook, idToken: token, challenge: challenge, device: TestService.device(device)))
    }

    private func challenge(_ service: TestService, device: Int = 2) throws -> String {
        let asked = ChallengeRequest(purpose: .signin, deviceID: TestService.device(device).id)
        return try service.services.identities.makeChallenge(asked, caller: nil).challenge
    }

    @Test("both kinds of Facebook tokens open one account")
    func oneIdentity() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.facebook, "218471")
        let classic = try await signIn(service, try classicToken(service))
        #expect(classic.user.serviceUserID == bob.user.serviceUserID)
        #expect(classic.user.linkedProviders.count == 1)
    }

    @Test("a classic token is valid once across all instances")
    func once() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.facebook, "218471")
        let token = try classicToken(service)
        _ = try await signIn(service, token)
        let error = await ServiceError.caught { _ = try await signIn(service, token, device: 3) }
        #expect(error == .invalidToken(.ruleNotMet("already used")))
        let marks = try await service.store.list(prefix: StorageLayout.usedMarkers, after: nil, limit: 10).objects.map(
            \.key)
        #expect(marks.count { $0.description.contains("/token-") } == 1)
    }

    @Test("one of twenty concurrent sign-ins with one classic token succeeds")
    func race() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.facebook, "218471")
        let token = try classicToken(service)
        let entered = await withTaskGroup(of: Bool.self) { group in
            for device in 10..<30 {
                group.addTask {
                    await ServiceError.caught { _ = try await signIn(service, token, device: device) } == nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(entered == 1)
    }

    @Test("where challenges are required, a classic token needs and spends one, though it is not tied to it")
    func challenge() async throws {
        var options = TestService.Options()
        options.requiresChallenge = true
        let service = try await TestService.make(options)
        _ = try await service.signUp(.facebook, "218471")
        let token = try classicToken(service)
        await #expect(throws: ServiceError.challengeRequired) { try await signIn(service, token) }
        let challenge = try challenge(service)
        _ = try await signIn(service, token, challenge: challenge)
        service.clock.advance(by: 1)
        let next = try classicToken(service)
        await #expect(throws: ServiceError.invalidChallenge(.alreadyUsed)) {
            try await signIn(service, next, challenge: challenge)
        }
    }

    @Test("recent authentication is as old as the issue time that Facebook reports for the token")
    func age() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.facebook, "218471")
        let token = try classicToken(service)
        service.clock.advance(by: 500)
        let session = try await signIn(service, token).session
        service.clock.advance(by: 101)
        let caller = try await service.caller(session)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.services.sessions.signOutEverywhere(caller)
        }
    }

    @Test("while Facebook is unavailable, sign-in fails temporarily and spends nothing")
    func unreachable() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.facebook, "218471")
        let token = try classicToken(service)
        let challenge = try challenge(service)
        service.network.fail(with: .notSent("refused"))
        await #expect(throws: ServiceError.unavailable("provider not reachable")) {
            try await signIn(service, token, challenge: challenge)
        }
        service.network.fail(with: nil)
        _ = try await signIn(service, token, challenge: challenge)
    }

    @Test("Facebook is not queried about a token whose challenge is invalid or expired")
    func challengeFirst() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.facebook, "218471")
        let token = try classicToken(service)
        let old = try challenge(service)
        service.clock.advance(by: 601)
        let asked = service.network.requests.count
        for (challenge, reason) in [
            ("x", SealedStateError.notAuthentic), (old, .expired), (try challenge(service, device: 3), .wrongPurpose),
        ] {
            await #expect(throws: ServiceError.invalidChallenge(reason)) {
                try await signIn(service, token, challenge: challenge)
            }
        }
        #expect(service.network.requests.count == asked)
    }
}
