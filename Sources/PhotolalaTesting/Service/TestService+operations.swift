import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import UseCases

extension TestService {
    /// Performs every operation of the service on its store at least once, including its jobs. The store must have no
    /// account for `walker`.
    package func runAllOperations() async throws {
        let retry = RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in await Task.yield() })
        _ = try await StoreManifest.check(
            store, retry: retry, environment: .dev, subjects: nil, keyRing: { keyRing }, now: clock.now
        )
        var walker = try await signUp(.apple, "walker", name: "Walker", email: "walker@gmail.com").session
        _ = try await link(.google, "walker", in: walker, email: "walker@gmail.com")
        try await unlink(.google, in: walker)
        walker = try await services.sessions.refresh(RefreshRequest(refreshToken: walker.refreshToken)).session
        let (caller, user) = (try await caller(walker), try await caller(walker).user)
        _ = try await services.account.replaceProfile(user, with: Profile(displayName: "W"), if: .any, caller: caller)
        _ = try await services.account.user(user, caller: caller)
        _ = try await services.storageAccess.issueCredentials(caller)
        let challenge = try services.identities.makeChallenge(
            ChallengeRequest(purpose: .signin, deviceID: Self.device(2).id), caller: nil
        ).challenge
        let token = try token(.apple, "walker", nonce: challenge)
        _ = try await services.signIn.signIn(
            SignInRequest(provider: .apple, idToken: token, challenge: challenge, device: Self.device(2))
        )
        try await services.devices.removeDevice(Self.device(2).id, caller: caller)
        try await services.sessions.signOutEverywhere(caller)
        try await services.usageCount.countUsage()
        clock.advance(by: 3600)
        try await services.housekeeping.removeExpiredMarkers()
        try await services.deviceCleanup.cleanUpDevices()
        try await services.eventDelivery.deliverEvents()
        try await components.readiness.check()
    }
}
