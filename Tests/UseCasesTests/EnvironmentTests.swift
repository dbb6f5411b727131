import Accounts
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An identity verified in one environment is not accepted in another, even with the same master key: in `dev` anyone
/// can sign in as anyone.
@Suite struct EnvironmentTests {
    private let dev: TestService
    private let prod: TestService

    init() async throws {
        dev = try await TestService.make()
        var options = TestService.Options()
        options.environment = .prod
        options.allowsContinue = true
        prod = try await TestService.make(options)
    }

    @Test("a pending identity of another environment opens and creates no account")
    func pendingIdentity() async throws {
        _ = try await prod.signUp(.apple, "bob")
        let request = SignUpRequest(pendingIdentity: try await pending("bob"), device: TestService.device(1))
        await #expect(throws: ServiceError.invalidPendingIdentity(.notAuthentic)) {
            try await prod.services.signUp.continueSignIn(request)
        }
        await #expect(throws: ServiceError.invalidPendingIdentity(.notAuthentic)) {
            try await prod.services.signUp.signUp(request)
        }
    }

    @Test("a challenge of another environment is rejected")
    func challenge() async throws {
        let device = TestService.device(1)
        let challenge = try dev.services.identities.makeChallenge(
            ChallengeRequest(purpose: .signup, deviceID: device.id), caller: nil
        ).challenge
        let token = try prod.token(.apple, "bob", nonce: challenge)
        await #expect(throws: ServiceError.invalidChallenge(.wrongPurpose)) {
            try await prod.services.signUp.signUp(
                SignUpRequest(provider: .apple, idToken: token, challenge: challenge, device: device))
        }
    }

    private func pending(_ subject: String) async throws -> String {
        do {
            _ = try await dev.signIn(.apple, subject)
        } catch ServiceError.noAccountFound(let unknown) {
            return unknown.pendingIdentity
        }
        throw ConformanceFailure("an account was found")
    }
}
