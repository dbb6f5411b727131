import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// The parts of a verified identity that a browser stores when the whole does not fit into a cookie.
@Suite struct SealedIdentityTests {
    private func identity(subject: String) -> VerifiedIdentity {
        VerifiedIdentity(
            provider: .google, subject: subject,
            email: VerifiedEmail(
                address: "\(String(repeating: "b", count: 240))@example.org", isVerified: true, isPrivate: false,
                isTrusted: false), clientID: String(repeating: "c", count: 120), issuedAt: .distantPast)
    }

    /// Signs in without an account and opens the pending identity that the browser stored.
    private func roundTripped(_ proven: VerifiedSignIn) async throws -> VerifiedSignIn {
        let service = try await TestService.make()
        let device = TestService.device(1)
        do {
            _ = try await service.services.signIn.signIn(
                verified: proven, on: device, key: nil, keeping: Browser.maximumPendingIdentityLength)
        } catch .noAccountFound(let unknown) {
            #expect(unknown.pendingIdentity.utf8.count <= Browser.maximumPendingIdentityLength)
            return try await service.components.pendingIdentities.consume(
                unknown.pendingIdentity, device: device.id, for: .signup, verifier: nil)
        }
        throw ServiceError.notFound
    }

    @Test("a pending identity that is too long is stored without the name, then without the provider's token")
    func leftOut() async throws {
        let identity = identity(subject: String(repeating: "s", count: 255))
        let token = String(repeating: "r", count: 1024)
        let small = VerifiedSignIn(identity: identity, authorizationCode: nil, refreshToken: token, name: "Bob")
        #expect(try await roundTripped(small) == small)
        let name = String(repeating: "🙂", count: 200)
        let named = try await roundTripped(
            VerifiedSignIn(identity: identity, authorizationCode: nil, refreshToken: token, name: name))
        #expect(named.identity == identity && named.refreshToken == token && named.name == nil)
        let long = self.identity(subject: String(repeating: "\u{1}", count: 255))
        let bare = try await roundTripped(
            VerifiedSignIn(identity: long, authorizationCode: nil, refreshToken: token, name: nil))
        #expect(bare.identity == long && bare.refreshToken == nil)
    }

    @Test("an identity that is too long for a cookie is rejected with its reason")
    func tooLong() async throws {
        let service = try await TestService.make()
        let long = VerifiedSignIn(
            identity: identity(subject: String(repeating: "s", count: 4000)), authorizationCode: nil)
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("identity too long for a browser cookie"))) {
            try await service.services.signIn.signIn(
                verified: long, on: TestService.device(1), key: nil, keeping: Browser.maximumPendingIdentityLength)
        }
        await #expect(throws: ServiceError.invalidRequest("The app's authorization request is too long.")) {
            try await service.services.providerAuthorizations.begin(
                at: .google, for: .signin, in: BrowserSignInFlow(service).browser, caller: nil,
                returnTo: String(repeating: "\\", count: 2048))
        }
    }
}
