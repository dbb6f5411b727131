import Accounts
import Crypto
import Flows
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// Identities that a browser verifies for an app's session.
@Suite struct AppProofTests {
    private static let verifier = String(repeating: "v", count: 43)

    private func asked(
        _ service: TestService, _ purpose: String, device: DeviceID, provider: String? = nil
    ) throws -> AppProofRequest {
        var parameters = [
            "response_type": "code", "client_id": "photolala", "redirect_uri": "http://127.0.0.1:4711/callback",
            "state": "s", "code_challenge": Base64URL.encode(Data(SHA256.hash(data: Data(Self.verifier.utf8)))),
            "code_challenge_method": "S256", "device_id": device.description, "device_name": "Laptop",
            "device_platform": "linux", "purpose": purpose,
        ]
        parameters["provider"] = provider
        return try service.services.appProofRequest { parameters[$0] }
    }

    private func code(
        _ service: TestService, _ asked: AppProofRequest, at name: ProviderName, as person: String
    ) async throws -> String {
        let walk = BrowserWalk(service)
        let location = try await service.services.beginProof(
            at: name, for: asked, in: walk.browser, returnTo: "account")
        let answer = try walk.answer(at: name, to: location, as: person)
        guard case .proved(let code, _) = try await walk.finish(answer, at: name) else { throw FlowError.notFound }
        return code
    }

    @Test func `A proof in a browser renews the session of the device that asked, and no other`() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        service.clock.advance(by: 3600)
        #expect(throws: FlowError.reauthenticationRequired) {
            try service.services.makeChallenge(
                ChallengeRequest(purpose: .link, deviceID: bob.device.value.id), caller: bob)
        }
        let request = try asked(service, "reauthenticate", device: bob.device.value.id)
        let proved = try await code(service, request, at: .apple, as: "bob")
        let body = ReauthenticationRequest(pendingIdentity: proved, codeVerifier: Self.verifier)
        let wrong = ReauthenticationRequest(
            pendingIdentity: proved, codeVerifier: String(repeating: "w", count: 43))
        await #expect(throws: FlowError.invalidPendingIdentity(.wrongPurpose)) {
            try await service.services.reauthenticate(wrong, caller: bob)
        }
        await #expect(throws: FlowError.invalidPendingIdentity(.notAuthentic)) {
            try await service.services.signUp(pendingIdentity: proved, in: BrowserWalk(service).browser)
        }
        let other = try await BrowserWalk(service).open(.apple, .signin, as: "bob").caller
        await #expect(throws: FlowError.invalidPendingIdentity(.notAuthentic)) {
            try await service.services.reauthenticate(body, caller: other)
        }
        let session = try await service.services.reauthenticate(body, caller: bob).session
        #expect(session.deviceID == bob.device.value.id)
        await #expect(throws: FlowError.invalidPendingIdentity(.spent)) {
            try await service.services.reauthenticate(body, caller: bob)
        }
    }

    @Test func `An identity proved to link is linked, and does not reauthenticate`() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        let request = try asked(service, "link", device: bob.device.value.id, provider: "google")
        let proved = try await code(service, request, at: .google, as: "bob")
        await #expect(throws: FlowError.invalidPendingIdentity(.wrongPurpose)) {
            try await service.services.reauthenticate(
                ReauthenticationRequest(pendingIdentity: proved, codeVerifier: Self.verifier), caller: bob)
        }
        let links = try await service.services.link(
            LinkRequest(pendingIdentity: proved, codeVerifier: Self.verifier), caller: bob)
        #expect(links.linkedProviders.map(\.provider) == [.apple, .google])
    }

    @Test func `An identity of another account renews no session`() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        _ = try await BrowserWalk(service).open(.google, .signup, as: "carol")
        let request = try asked(service, "reauthenticate", device: bob.device.value.id)
        let proved = try await code(service, request, at: .google, as: "carol")
        await #expect(throws: FlowError.self) {
            try await service.services.reauthenticate(
                ReauthenticationRequest(pendingIdentity: proved, codeVerifier: Self.verifier), caller: bob)
        }
    }

    @Test func `Other purposes, unknown providers and requests without a device are refused`() async throws {
        let service = try await TestService.make()
        let device = TestService.device(7).id
        #expect(throws: AppRequestError.self) { try asked(service, "signin", device: device) }
        #expect(throws: AppRequestError.self) { try asked(service, "link", device: device, provider: "nobody") }
    }
}
