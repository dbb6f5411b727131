import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The store requests of each operation, object by object. An additional request is a cost of every call.
@Suite struct StoreRequestCountTests {
    private typealias Request = RecordingObjectStore.Request

    /// Returns the requests with ids removed, sorted.
    private func shapes(_ requests: [Request], _ user: UserID) -> [String] {
        requests.map { request in
            let key = request.key.replacingOccurrences(of: user.description, with: "{user}")
                .replacingOccurrences(of: TestService.device(1).id.description, with: "{device}")
            return "\(request.kind.rawValue) \(key.hasPrefix("service/spent/") ? "service/spent/{mark}" : key)"
        }.sorted()
    }

    private func challenged(_ service: TestService, _ purpose: ChallengePurpose) async throws -> (String, String) {
        let challenge = try service.services.identities.makeChallenge(
            ChallengeRequest(purpose: purpose, deviceID: TestService.device(1).id), caller: nil
        ).challenge
        return (challenge, try service.token(.apple, "bob", nonce: challenge))
    }

    private func signUp(_ service: TestService, name: String?) async throws -> SignedIn {
        let (challenge, token) = try await challenged(service, .signup)
        _ = service.store.drainRequests()
        return try await service.services.signUp.signUp(
            SignUpRequest(
                provider: .apple, idToken: token, challenge: challenge, fullName: name, device: TestService.device(1)
            )
        )
    }

    @Test("a sign-up costs two reads and five writes")
    func signUp() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service, name: "Bob")
        #expect(
            shapes(service.store.drainRequests(), bob.user.serviceUserID) == [
                "read accounts/{user}/account.json",
                "read identities/apple/bob",
                "write accounts/{user}/account.json",
                "write accounts/{user}/audit/0000000001",
                "write accounts/{user}/devices/{device}.json",
                "write identities/apple/bob",
                "write service/spent/{mark}",
            ]
        )
    }

    @Test("with events enabled, a sign-up costs one more write and a sign-in on a known device none")
    func events() async throws {
        var options = TestService.Options()
        options.eventReceiver = RecordingEventReceiver()
        let service = try await TestService.make(options)
        let bob = try await signUp(service, name: nil)
        let requests = shapes(service.store.drainRequests(), bob.user.serviceUserID)
        #expect(requests.count == 8 && requests.contains("write service/events/{user}.json"))
        let token = try await service.signIn(.apple, "bob").session.refreshToken
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: token))
        #expect(!service.store.drainRequests().contains { $0.key.hasPrefix(StorageLayout.eventDeliveries) })
    }

    @Test("a sign-in costs three reads and two writes")
    func signIn() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service, name: nil)
        let (challenge, token) = try await challenged(service, .signin)
        _ = service.store.drainRequests()
        _ = try await service.services.signIn.signIn(
            SignInRequest(provider: .apple, idToken: token, challenge: challenge, device: TestService.device(1))
        )
        #expect(
            shapes(service.store.drainRequests(), bob.user.serviceUserID) == [
                "read accounts/{user}/account.json",
                "read accounts/{user}/devices/{device}.json",
                "read identities/apple/bob",
                "write accounts/{user}/devices/{device}.json",
                "write service/spent/{mark}",
            ]
        )
    }

    @Test("a refresh costs two reads and one write")
    func refresh() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service, name: nil)
        _ = service.store.drainRequests()
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: bob.session.refreshToken))
        #expect(
            shapes(service.store.drainRequests(), bob.user.serviceUserID) == [
                "read accounts/{user}/account.json",
                "read accounts/{user}/devices/{device}.json",
                "write accounts/{user}/devices/{device}.json",
            ]
        )
    }

    @Test("storage credentials cost two reads, and the first in six hours one write")
    func credentials() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service, name: nil)
        let caller = try await service.caller(bob.session)
        _ = service.store.drainRequests()
        _ = try await service.services.storageAccess.issueCredentials(caller)
        #expect(
            shapes(service.store.drainRequests(), bob.user.serviceUserID) == ["write service/usage-changes/{user}/82870"])
        _ = try await service.services.storageAccess.issueCredentials(try await service.caller(bob.session))
        #expect(
            shapes(service.store.drainRequests(), bob.user.serviceUserID) == [
                "read accounts/{user}/account.json",
                "read accounts/{user}/devices/{device}.json",
            ]
        )
    }

    @Test("removing a device costs one read and one write of its record")
    func removal() async throws {
        let service = try await TestService.make()
        let bob = try await signUp(service, name: nil)
        _ = try await service.signIn(.apple, "bob", device: 2)
        let caller = try await service.caller(bob.session)
        _ = service.store.drainRequests()
        try await service.services.devices.removeDevice(TestService.device(2).id, caller: caller)
        let requests = shapes(service.store.drainRequests(), bob.user.serviceUserID)
        let record = StorageLayout.device(bob.user.serviceUserID, TestService.device(2).id)
            .replacingOccurrences(of: bob.user.serviceUserID.description, with: "{user}")
        #expect(requests == ["read \(record)", "write \(record)"])
    }

    @Test("an account change flushes its device's events with one read, and writes an entry for each")
    func folding() async throws {
        let service = try await TestService.make()
        _ = try await signUp(service, name: nil)
        let bob = try await service.signIn(.apple, "bob")
        let caller = try await service.caller(bob.session)
        _ = service.store.drainRequests()
        try await service.services.sessions.signOutEverywhere(caller)
        #expect(
            shapes(service.store.drainRequests(), bob.user.serviceUserID) == [
                "read accounts/{user}/audit/0000000001",
                "read accounts/{user}/devices/{device}.json",
                "write accounts/{user}/account.json",
                "write accounts/{user}/audit/0000000002",
                "write accounts/{user}/audit/0000000003",
            ]
        )
    }

    @Test("an e-mail hint adds one write to a sign-up")
    func emailHint() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.google, "bob", email: "bob@gmail.com")
        let writes = shapes(service.store.drainRequests(), bob.user.serviceUserID).filter {
            $0.hasPrefix("write identities/email/")
        }
        #expect(writes.count == 1)
    }
}
