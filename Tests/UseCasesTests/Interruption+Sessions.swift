import Crypto
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

extension Interruption {
    static let sessions: [Interruption] = [
        twoRefreshes, refreshAndSignOut, refreshAndSignOutEverywhere, refreshAndRemoval, proofAndSignOutEverywhere,
        proofAndRemoval, signInAndSignOutEverywhere, boundRefreshAndSignOut, boundRefreshAndRemoval,
    ]

    private static let key = P256.Signing.PrivateKey()

    /// A bound device a day after it was last seen, so that its refresh writes the record.
    private static let boundAndSeenLongAgo: @Sendable (TestService) async throws -> Before = { service in
        let bob = try await service.signUp(.apple, "bob", key: key)
        service.clock.advance(by: 90_000)
        return Before(bob, other: try await service.signIn(.apple, "bob", device: 2))
    }

    private static let boundRefresh: Operation = { service, before in
        _ = try await service.refresh(before.session, key)
    }

    private static let boundRefreshAndSignOut = Interruption(
        description: "a bound refresh, signed out inside", prepare: boundAndSeenLongAgo
    ) {
        try await boundRefresh($0, $1)
    } second: { service, before in
        let proof = try service.dpopProof(of: key, "POST", Route.signOut.path)
        try await service.services.sessions.signOut(refreshToken: before.session.refreshToken, proof)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(before.session, key) }
    }

    private static let boundRefreshAndRemoval = Interruption(
        description: "a bound refresh, removed inside", prepare: boundAndSeenLongAgo
    ) {
        try await boundRefresh($0, $1)
    } second: { service, before in
        guard let tablet = before.other?.session else { throw ServiceError.notFound }
        try await service.services.devices.removeDevice(
            before.session.deviceID, caller: try await service.caller(tablet))
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(before.session, key) }
    }

    private static let twoRefreshes = Interruption(description: "two refreshes", prepare: bobAndEve) {
        try await refresh($0, $1)
    } second: {
        try await refresh($0, $1)
    } check: { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil)
        let again = try await service.services.sessions.refresh(
            RefreshRequest(refreshToken: before.session.refreshToken))
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: again.session.refreshToken))
        try await service.expect(next.session, isOf: before.user)
    }

    private static let refreshAndSignOut = Interruption(description: "a refresh, signed out inside", prepare: bobAndEve)
    {
        try await refresh($0, $1)
    } second: { service, before in
        try await service.services.sessions.signOut(accessToken: before.session.accessToken)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        try await expectOver(service, before)
    }

    private static let refreshAndSignOutEverywhere = Interruption(
        description: "a refresh, signed out everywhere inside", prepare: bobAndEve
    ) {
        try await refresh($0, $1)
    } second: {
        try await signOutEverywhere($0, $1)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        try await expectOver(service, before)
    }

    private static let refreshAndRemoval = Interruption(description: "a refresh, removed inside", prepare: bobAndEve) {
        try await refresh($0, $1)
    } second: {
        try await removeOwnDevice($0, $1)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        try await expectOver(service, before)
    }

    private static let proofAndSignOutEverywhere = Interruption(
        description: "a reauthentication, signed out everywhere inside", prepare: bobAndEve
    ) {
        try await proveAgain($0, $1)
    } second: {
        try await signOutEverywhere($0, $1)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        try await expectOver(service, before)
    }

    private static let proofAndRemoval = Interruption(
        description: "a reauthentication, removed inside", prepare: bobAndEve
    ) {
        try await proveAgain($0, $1)
    } second: {
        try await removeOwnDevice($0, $1)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        try await expectOver(service, before)
    }

    private static let signInAndSignOutEverywhere = Interruption(
        description: "a sign-in, signed out everywhere inside", prepare: bobAndEve
    ) { service, _ in
        _ = try await service.signIn(.apple, "bob", device: 3)
    } second: {
        try await signOutEverywhere($0, $1)
    } check: { service, before, outcome in
        #expect(outcome.second == nil)
        try await expectOver(service, before)
        // A sign-in completed before sign-out everywhere is ended as well; one completed later is active.
        try await service.expect(.apple, "bob", opens: before.user)
        let epochs = try await service.sessionEpochs(of: before.user)
        #expect(epochs.account == 1)
        #expect(epochs.devices[TestService.device(3).id, default: 1] <= 1)
    }

    private static let removeOwnDevice: Operation = { service, before in
        try await service.services.devices.removeDevice(
            before.session.deviceID, caller: try await service.caller(before.session)
        )
    }

    private static let proveAgain: Operation = { service, before in
        _ = try await service.reauthenticate(.apple, "bob", in: before.session)
    }

    /// Expects that an ended session stays ended.
    private static func expectOver(_ service: TestService, _ before: Before) async throws {
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(before.session) }
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.sessions.refresh(RefreshRequest(refreshToken: before.session.refreshToken))
        }
    }
}
