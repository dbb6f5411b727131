import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

/// Replay of a recorded DPoP proof at this instance or at another one.
@Suite struct ReplayTests {
    private let key = P256.Signing.PrivateKey()
    private let used = ServiceError.invalidDPoPProof("already used")

    private func makeInstances(remembered: Int = 1000) async throws -> (TestService, TestService) {
        var options = TestService.Options()
        options.rememberedProofs = remembered
        let one = try await TestService.make(options)
        options.seed = 2
        return (one, try await TestService.make(options, store: one.store, clock: one.clock))
    }

    @Test("an instance accepts no DPoP proof twice, for any method", arguments: ["GET", "POST", "DELETE"])
    func sameInstance(method: String) async throws {
        let (one, _) = try await makeInstances()
        let session = try await one.signUp(.apple, "bob", key: key).session
        let proof = try one.dpopProof(of: key, method, "/auth/x", accessToken: session.accessToken)
        _ = try await one.services.authenticator.authenticate(session.accessToken, proof)
        await #expect(throws: used) { try await one.services.authenticator.authenticate(session.accessToken, proof) }
        let refresh = try one.dpopProof(of: key, "POST", Route.refresh.path)
        let request = RefreshRequest(refreshToken: session.refreshToken)
        _ = try await one.services.sessions.refresh(request, refresh)
        await #expect(throws: used) { try await one.services.sessions.refresh(request, refresh) }
    }

    @Test(
        "calls that change state or issue storage credentials reject a replayed DPoP proof at every instance",
        arguments: [
            "POST", "PUT", "DELETE",
        ])
    func otherInstance(method: String) async throws {
        let (one, two) = try await makeInstances()
        let session = try await one.signUp(.apple, "bob", key: key).session
        let proof = try one.dpopProof(of: key, method, "/auth/credentials", accessToken: session.accessToken)
        _ = try await two.services.authenticator.authenticate(session.accessToken, proof)
        for copy in [one, two] {
            await #expect(throws: used) {
                try await copy.services.authenticator.authenticate(session.accessToken, proof)
            }
        }
    }

    @Test("one of several instances that receive one DPoP proof concurrently accepts it")
    func race() async throws {
        let (one, two) = try await makeInstances()
        let session = try await one.signUp(.apple, "bob", key: key).session
        let proof = try one.dpopProof(of: key, "POST", "/auth/credentials", accessToken: session.accessToken)
        let taken = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                let copy = number.isMultiple(of: 2) ? one : two
                group.addTask {
                    (try? await copy.services.authenticator.authenticate(session.accessToken, proof)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
    }

    @Test("other instances reject a replayed DPoP proof of a read-only call after three minutes at the latest")
    func readsOnOtherCopy() async throws {
        let (one, two) = try await makeInstances()
        let session = try await one.signUp(.apple, "bob", key: key).session
        let proof = try one.dpopProof(of: key, "GET", "/auth/devices", accessToken: session.accessToken)
        _ = usedMarkers(one.store.drainRequests())
        _ = try await one.services.authenticator.authenticate(session.accessToken, proof)
        #expect(usedMarkers(one.store.drainRequests()) == 0, "a call that only reads writes nothing")
        _ = try await two.services.authenticator.authenticate(session.accessToken, proof)
        await #expect(throws: used) { try await two.services.authenticator.authenticate(session.accessToken, proof) }
        one.clock.advance(by: 180)
        for copy in [one, two] {
            await #expect(throws: ServiceError.nonceRequired) {
                try await copy.services.authenticator.authenticate(session.accessToken, proof)
            }
        }
    }

    @Test("an instance whose memory is full stores DPoP proof markers in the store and still rejects replays")
    func fullMemory() async throws {
        let (one, _) = try await makeInstances(remembered: 3)
        let session = try await one.signUp(.apple, "bob", key: key).session
        let proofs = try (0..<6).map { _ in
            try one.dpopProof(of: key, "GET", "/auth/devices", accessToken: session.accessToken)
        }
        _ = one.store.drainRequests()
        for proof in proofs { _ = try await one.services.authenticator.authenticate(session.accessToken, proof) }
        // The DPoP proof of the sign-up is the first of the three.
        #expect(usedMarkers(one.store.drainRequests()) == 4)
        for proof in proofs {
            await #expect(throws: used) {
                try await one.services.authenticator.authenticate(session.accessToken, proof)
            }
        }
    }

    @Test("a caller without a session adds nothing to the replay memory")
    func strangers() async throws {
        let (one, _) = try await makeInstances(remembered: 3)
        let session = try await one.signUp(.apple, "bob", key: key).session
        let stranger = P256.Signing.PrivateKey()
        let request = SignInRequest(provider: .apple, idToken: "e30.e30.AA", device: TestService.device(7))
        for _ in 0..<20 {
            let proof = try one.dpopProof(of: stranger, "POST", Route.signIn.path)
            await #expect(throws: ServiceError.invalidToken(.algorithmRefused)) {
                try await one.services.signIn.signIn(request, proof)
            }
            await #expect(throws: ServiceError.invalidDPoPProof("the refresh token is bound to another key")) {
                try await one.refresh(session, stranger)
            }
            await #expect(throws: ServiceError.unauthorized("DPoP proof of another key")) {
                try await one.caller(session, stranger)
            }
        }
        _ = one.store.drainRequests()
        _ = try await one.caller(session, key)
        #expect(usedMarkers(one.store.drainRequests()) == 0)
    }

    @Test("markers of used DPoP proofs are removed when no longer needed")
    func marksEnd() async throws {
        let (one, _) = try await makeInstances()
        let session = try await one.signUp(.apple, "bob", key: key).session
        let proof = try one.dpopProof(of: key, "POST", "/auth/credentials", accessToken: session.accessToken)
        _ = try await one.services.authenticator.authenticate(session.accessToken, proof)
        one.clock.advance(by: 180 + 601)
        try await one.services.housekeeping.removeExpiredMarkers()
        #expect(try await one.store.list(prefix: StorageLayout.usedMarkers, after: nil, limit: 10).objects.isEmpty)
    }

    /// Returns how many markers were written.
    private func usedMarkers(_ requests: [RecordingObjectStore.Request]) -> Int {
        requests.count { $0.kind == .write && $0.key.hasPrefix(StorageLayout.usedMarkers) }
    }
}
