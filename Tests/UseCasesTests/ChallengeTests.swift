import Crypto
import DevelopmentIdentityProvider
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Challenges: one use, one purpose, one device, one account, ten minutes.
@Suite struct ChallengeTests {
    private func challenge(
        _ service: TestService, _ purpose: ChallengePurpose, device: Int = 1, caller: Caller? = nil
    ) throws -> String {
        try service.services.identities.makeChallenge(
            ChallengeRequest(purpose: purpose, deviceID: TestService.device(device).id), caller: caller
        ).challenge
    }

    private func signUp(
        _ service: TestService, challenge: String?, nonce: String?, device: Int = 1
    ) async throws -> SignedIn {
        try await service.services.signUp.signUp(
            SignUpRequest(
                provider: .apple, idToken: try service.token(.apple, "bob", nonce: nonce), challenge: challenge,
                device: TestService.device(device)
            )
        )
    }

    @Test("the nonce may be the challenge or its hexadecimal SHA-256", arguments: [false, true])
    func rawOrHashed(isHashed: Bool) async throws {
        let service = try await TestService.make()
        let challenge = try challenge(service, .signup)
        let nonce = isHashed ? Hex.encode(SHA256.hash(data: Data(challenge.utf8))) : challenge
        #expect(try await signUp(service, challenge: challenge, nonce: nonce).user.primaryProvider == .apple)
    }

    @Test("a token that declares no nonce support spends its challenge without a nonce; any other token must carry one")
    func noNonceSupport() async throws {
        let service = try await TestService.make()
        for (isSupported, isTaken) in [(false, true), (true, false)] {
            let challenge = try challenge(service, .signup)
            let token = try service.apple.issueToken(
                DevelopmentTokenRequest(subject: "bob", nonceSupported: isSupported)
            ).idToken
            let request = SignUpRequest(
                provider: .apple, idToken: token, challenge: challenge, device: TestService.device(1)
            )
            let error = await ServiceError.caught { _ = try await service.services.signUp.signUp(request) }
            #expect(error == (isTaken ? nil : .invalidChallenge(.nonceMismatch)))
            guard isTaken else { continue }
            await #expect(throws: ServiceError.invalidChallenge(.alreadyUsed)) {
                try await service.services.signUp.signUp(request)
            }
        }
    }

    @Test("a nonce that is present is compared, even if the token declares no nonce support")
    func wrongNonce() async throws {
        let service = try await TestService.make()
        let token = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "bob", nonce: "another", nonceSupported: false)
        ).idToken
        let challenge = try challenge(service, .signup)
        await #expect(throws: ServiceError.invalidChallenge(.nonceMismatch)) {
            try await service.services.signUp.signUp(
                SignUpRequest(
                    provider: .apple, idToken: token, challenge: challenge, device: TestService.device(1)
                )
            )
        }
    }

    @Test("a challenge is valid for one use across all instances")
    func oneUse() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let copies = [try await TestService.make(store: store), try await TestService.make(store: store)]
        let challenge = try challenge(copies[0], .signup)
        _ = try await signUp(copies[0], challenge: challenge, nonce: challenge)
        for copy in copies {
            await #expect(throws: ServiceError.invalidChallenge(.alreadyUsed)) {
                try await signUp(copy, challenge: challenge, nonce: challenge)
            }
        }
    }

    @Test("one of fifty concurrent uses of a challenge succeeds")
    func racingUses() async throws {
        let service = try await TestService.make()
        let challenge = try challenge(service, .signup)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await signUp(service, challenge: challenge, nonce: challenge)) != nil }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 }.count == 1)
    }

    @Test("a challenge for another purpose or device is rejected")
    func binding() async throws {
        let service = try await TestService.make()
        let forSignIn = try challenge(service, .signin)
        await #expect(throws: ServiceError.invalidChallenge(.wrongPurpose)) {
            try await signUp(service, challenge: forSignIn, nonce: forSignIn)
        }
        let forOther = try challenge(service, .signup, device: 2)
        await #expect(throws: ServiceError.invalidChallenge(.wrongPurpose)) {
            try await signUp(service, challenge: forOther, nonce: forOther)
        }
    }

    @Test("a token with a different nonce or without a nonce is rejected", arguments: ["other", nil])
    func nonceMismatch(nonce: String?) async throws {
        let service = try await TestService.make()
        let challenge = try challenge(service, .signup)
        await #expect(throws: ServiceError.invalidChallenge(.nonceMismatch)) {
            try await signUp(service, challenge: challenge, nonce: nonce)
        }
    }

    @Test("a challenge expires after ten minutes")
    func expiry() async throws {
        let service = try await TestService.make()
        let challenge = try challenge(service, .signup)
        service.clock.advance(by: 600)
        await #expect(throws: ServiceError.invalidChallenge(.expired)) {
            try await signUp(service, challenge: challenge, nonce: challenge)
        }
    }

    @Test("a token without a challenge is rejected where challenges are required")
    func required() async throws {
        var options = TestService.Options()
        options.requiresChallenge = true
        let service = try await TestService.make(options)
        await #expect(throws: ServiceError.challengeRequired) {
            try await signUp(service, challenge: nil, nonce: nil)
        }
    }

    @Test("a challenge for linking is bound to the account")
    func boundToTheAccount() async throws {
        let service = try await TestService.make()
        let bob = try await service.caller(try await service.signUp(.apple, "bob", device: 1).session)
        let eve = try await service.caller(try await service.signUp(.apple, "eve", device: 1).session)
        let challenge = try challenge(service, .link, caller: bob)
        let request = LinkRequest(
            provider: .google, idToken: try service.token(.google, "g", nonce: challenge), challenge: challenge
        )
        await #expect(throws: ServiceError.invalidChallenge(.wrongPurpose)) {
            try await service.services.linking.link(request, caller: eve)
        }
        #expect(try await service.services.linking.link(request, caller: bob).linkedProviders.count == 2)
    }

    @Test(
        "a malformed challenge is rejected",
        arguments: ["", ".", "a.b.c", "test..", String(repeating: "A", count: 5000)])
    func garbage(text: String) async throws {
        let service = try await TestService.make()
        await #expect(throws: ServiceError.invalidChallenge(.notAuthentic)) {
            try await signUp(service, challenge: text, nonce: "another")
        }
    }

    @Test("markers of spent challenges are removed ten minutes after expiry, to allow for clock differences")
    func clearing() async throws {
        let service = try await TestService.make()
        let challenge = try challenge(service, .signup)
        _ = try await signUp(service, challenge: challenge, nonce: challenge)
        let marks = {
            try await service.store.list(prefix: StorageLayout.usedMarkers, after: nil, limit: 10).objects.count
        }
        try await service.services.housekeeping.removeExpiredMarkers()
        #expect(try await marks() == 1)
        service.clock.advance(by: 1199)
        try await service.services.housekeeping.removeExpiredMarkers()
        #expect(try await marks() == 1)
        service.clock.advance(by: 2)
        try await service.services.housekeeping.removeExpiredMarkers()
        #expect(try await marks() == 0)
    }
}
