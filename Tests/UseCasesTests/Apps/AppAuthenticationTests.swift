import Accounts
import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Identities that a browser verifies for an app's session.
@Suite struct AppAuthenticationTests {
    private static let verifier = String(repeating: "v", count: 43)

    private func makeRequest(
        _ service: TestService, _ purpose: String, device: DeviceID, provider: String? = nil
    ) throws -> AppAuthentication {
        var parameters = [
            "response_type": "code", "client_id": "photolala", "redirect_uri": "http://127.0.0.1:4711/callback",
            "state": "s", "code_challenge": Base64URL.encode(Data(SHA256.hash(data: Data(Self.verifier.utf8)))),
            "code_challenge_method": "S256", "device_id": device.description, "device_name": "Laptop",
            "device_platform": "linux", "purpose": purpose,
        ]
        parameters["provider"] = provider
        return try service.services.appAuthentication.parse { parameters[$0] }
    }

    private func code(
        _ service: TestService, _ asked: AppAuthentication, at name: ProviderName, as person: String
    ) async throws -> String {
        let walk = BrowserSignInFlow(service)
        let location = try await service.services.appAuthentication.begin(
            at: name, for: asked, in: walk.browser, returnTo: "account")
        let response = try walk.respond(at: name, to: location, as: person)
        guard case .authenticated(let code, _) = try await walk.complete(response, at: name) else {
            throw ServiceError.notFound
        }
        return code
    }

    @Test func `reauthentication in a browser renews only the session that requested it`() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        service.clock.advance(by: 3600)
        #expect(throws: ServiceError.reauthenticationRequired) {
            try service.services.identities.makeChallenge(
                ChallengeRequest(purpose: .link, deviceID: bob.device.value.id), caller: bob)
        }
        let request = try makeRequest(service, "reauthenticate", device: bob.device.value.id)
        let proved = try await code(service, request, at: .apple, as: "bob")
        let body = ReauthenticationRequest(pendingIdentity: proved, codeVerifier: Self.verifier)
        let wrong = ReauthenticationRequest(
            pendingIdentity: proved, codeVerifier: String(repeating: "w", count: 43))
        await #expect(throws: ServiceError.invalidPendingIdentity(.wrongPurpose)) {
            try await service.services.reauthentication.reauthenticate(wrong, caller: bob)
        }
        await #expect(throws: ServiceError.invalidPendingIdentity(.notAuthentic)) {
            try await service.services.browserSignIn.signUp(
                pendingIdentity: proved, in: BrowserSignInFlow(service).browser)
        }
        let other = try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob").caller
        await #expect(throws: ServiceError.invalidPendingIdentity(.notAuthentic)) {
            try await service.services.reauthentication.reauthenticate(body, caller: other)
        }
        let session = try await service.services.reauthentication.reauthenticate(body, caller: bob).session
        #expect(session.deviceID == bob.device.value.id)
        await #expect(throws: ServiceError.invalidPendingIdentity(.alreadyUsed)) {
            try await service.services.reauthentication.reauthenticate(body, caller: bob)
        }
    }

    @Test func `an identity verified for linking is linked and does not reauthenticate`() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let request = try makeRequest(service, "link", device: bob.device.value.id, provider: "google")
        let proved = try await code(service, request, at: .google, as: "bob")
        await #expect(throws: ServiceError.invalidPendingIdentity(.wrongPurpose)) {
            try await service.services.reauthentication.reauthenticate(
                ReauthenticationRequest(pendingIdentity: proved, codeVerifier: Self.verifier), caller: bob)
        }
        let links = try await service.services.linking.link(
            LinkRequest(pendingIdentity: proved, codeVerifier: Self.verifier), caller: bob)
        #expect(links.linkedProviders.map(\.provider) == [.apple, .google])
    }

    @Test func `an identity of another account does not renew the session`() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        _ = try await BrowserSignInFlow(service).open(.google, .signup, as: "carol")
        let request = try makeRequest(service, "reauthenticate", device: bob.device.value.id)
        let proved = try await code(service, request, at: .google, as: "carol")
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("identity is not linked to this account"))) {
            try await service.services.reauthentication.reauthenticate(
                ReauthenticationRequest(pendingIdentity: proved, codeVerifier: Self.verifier), caller: bob)
        }
    }

    @Test func `an unsupported purpose or an unknown provider is refused`() async throws {
        let service = try await TestService.make()
        let device = TestService.device(7).id
        func refused(_ words: String) -> AppAuthorizationRequestError {
            .refused(
                redirectURI: "http://127.0.0.1:4711/callback", state: "s", code: "invalid_request", words: words)
        }
        #expect(throws: refused("purpose must be link or reauthenticate.")) {
            try makeRequest(service, "signin", device: device)
        }
        #expect(throws: refused("provider is not configured on this server.")) {
            try makeRequest(service, "link", device: device, provider: "unknown")
        }
    }
}
