import Crypto
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

extension FaultScenario {
    static let sessions: [FaultScenario] = [
        refresh, reauthenticate, signOut, signOutByRefreshToken, signOutEverywhere, removeDevice, noteSync,
        credentials, refreshBound, credentialsBound,
    ]

    private static let key = P256.Signing.PrivateKey()

    private static let refreshBound = FaultScenario(description: "refresh of a bound device after a day") { service in
        let bob = try await service.signUp(.apple, "bob", key: key)
        service.clock.advance(by: 90_000)
        return Before(bob)
    } act: { service, before in
        .session(try await service.refresh(before.session, key))
    } check: { service, before, _ in
        let again = try await service.refresh(before.session, key)
        #expect(again.refreshToken == before.session.refreshToken)
        let caller = try await service.caller(again, key)
        #expect(caller.user == before.user)
    }

    private static let credentialsBound = FaultScenario(description: "storage credentials of a bound device") {
        service in
        Before(try await service.signUp(.apple, "bob", key: key))
    } act: { service, before in
        let caller = try await service.caller(before.session, key, "POST", Route.credentials.path)
        _ = try await service.services.storageAccess.issueCredentials(caller)
        return .done
    } check: { service, before, _ in
        let caller = try await service.caller(before.session, key, "POST", Route.credentials.path)
        #expect(caller.user == before.user)
    }

    private static let refresh = FaultScenario(description: "refresh") { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, before in
        let request = RefreshRequest(refreshToken: before.session.refreshToken)
        return .session(try await service.services.sessions.refresh(request).session)
    } check: { service, before, outcome in
        // A client that lost the answer retries with its token and gets the same successor.
        let again = try await service.services.sessions.refresh(
            RefreshRequest(refreshToken: before.session.refreshToken)
        ).session
        if case .session(let first) = outcome { #expect(first.refreshToken == again.refreshToken) }
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: again.refreshToken)).session
        try await service.expect(next, isOf: before.user)
    }

    private static let reauthenticate = FaultScenario(
        description: "reauthenticate", notes: [.reauthenticated]
    ) { service in
        let bob = try await service.signUp(.apple, "bob")
        service.clock.advance(by: 1200)
        return Before(bob)
    } act: { service, before in
        .session(try await service.reauthenticate(.apple, "bob", in: before.session))
    } check: { service, before, outcome in
        if case .session(let session) = outcome {
            _ = try await service.link(.google, "bob", in: session)
            #expect(session.refreshToken == before.session.refreshToken)
        }
        let refreshed = try await service.services.sessions.refresh(
            RefreshRequest(refreshToken: before.session.refreshToken)
        )
        try await service.expect(refreshed.session, isOf: before.user)
    }

    private static let signOut = FaultScenario(description: "sign out", notes: [.signedOut]) { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, before in
        try await service.services.sessions.signOut(accessToken: before.session.accessToken)
        return .done
    } check: { service, before, outcome in
        if outcome == nil { try await service.services.sessions.signOut(accessToken: before.session.accessToken) }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(before.session) }
        try await service.services.sessions.signOut(accessToken: before.session.accessToken)
    }

    private static let signOutByRefreshToken = FaultScenario(
        description: "sign out by refresh token", notes: [.signedOut]
    ) { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, before in
        try await service.services.sessions.signOut(refreshToken: before.session.refreshToken)
        return .done
    } check: { service, before, outcome in
        if outcome == nil { try await service.services.sessions.signOut(refreshToken: before.session.refreshToken) }
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.sessions.refresh(RefreshRequest(refreshToken: before.session.refreshToken))
        }
    }

    private static let signOutEverywhere = FaultScenario(
        description: "sign out everywhere", notes: [.signedOutEverywhere]
    ) { service in
        _ = try await service.signUp(.apple, "bob", device: 2)
        return Before(try await service.signIn(.apple, "bob"))
    } act: { service, before in
        try await service.services.sessions.signOutEverywhere(try await service.caller(before.session))
        return .done
    } check: { service, before, outcome in
        if let caller = try? await service.caller(before.session) {
            #expect(outcome == nil)
            try await service.services.sessions.signOutEverywhere(caller)
        }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(before.session) }
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let removeDevice = FaultScenario(description: "remove a device", notes: [.deviceRemoved]) {
        service in
        Before(
            try await service.signUp(.apple, "bob"), other: try await service.signIn(.apple, "bob", device: 2)
        )
    } act: { service, before in
        try await service.services.devices.removeDevice(
            TestService.device(2).id, caller: try await service.caller(before.session)
        )
        return .done
    } check: { service, before, outcome in
        if outcome == nil {
            try? await service.services.devices.removeDevice(
                TestService.device(2).id, caller: try await service.caller(before.session)
            )
        }
        let removed = try #require(before.other)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(removed.session) }
        try await service.expect(before.session, isOf: before.user)
    }

    private static let noteSync = FaultScenario(description: "record a sync") { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, before in
        try await service.services.devices.recordSync(
            before.session.deviceID, caller: try await service.caller(before.session)
        )
        return .done
    } check: { service, before, outcome in
        let devices = try await service.services.devices.list(of: try await service.caller(before.session)).devices
        #expect(devices.count == 1 && (outcome == nil || devices.first?.lastSyncAt != nil))
    }

    private static let credentials = FaultScenario(description: "storage credentials") { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, before in
        _ = try await service.services.storageAccess.issueCredentials(try await service.caller(before.session))
        return .done
    } check: { service, before, _ in
        try await service.expect(before.session, isOf: before.user)
    }
}
