import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

extension FaultScenario {
    static let history: [FaultScenario] = [settle, forget, signInOnFullDevice, reuse, readHistory]

    /// Events are pending on two devices, one of which was removed.
    private static let settle = FaultScenario(description: "flush device events") { service in
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.signIn(.apple, "bob", device: 2)
        _ = try await service.signIn(.apple, "bob", device: 3)
        try await service.services.devices.removeDevice(
            TestService.device(3).id, caller: try await service.caller(bob.session)
        )
        return Before(bob)
    } act: { service, _ in
        try await service.services.deviceCleanup.cleanUpDevices()
        return .done
    } check: { service, before, _ in
        try await service.expect(before.session, isOf: before.user)
    }

    private static let forget = FaultScenario(description: "forget a device", notes: [.deviceForgotten]) { service in
        _ = try await service.signUp(.apple, "bob")
        service.clock.advance(by: 121 * 86_400)
        return Before(try await service.signIn(.apple, "bob", device: 2))
    } act: { service, before in
        try await service.services.deviceCleanup.cleanUpDevices()
        // The job only logs what it could not do, and retries it in the next run.
        let caller = try await service.caller(before.session)
        let page = try await service.services.account.history(before.user, before: nil, limit: 10, caller: caller)
        guard page.entries.contains(where: { $0.act == .deviceForgotten }) else {
            throw ServiceError.unavailable("not yet")
        }
        return .done
    } check: { service, before, _ in
        try await service.services.deviceCleanup.cleanUpDevices()
        let count = try await service.auditEvents(of: before.user).count { $0 == .deviceForgotten }
        #expect(count == 1)
    }

    private static let signInOnFullDevice = FaultScenario(
        description: "sign in on a device with the maximum number of pending events", notes: [.signedIn]
    ) { service in
        _ = try await service.signUp(.apple, "bob", device: 9)
        var last: SignedIn?
        for _ in 0..<PendingAuditEvent.limit { last = try await service.signIn(.apple, "bob") }
        return Before(try #require(last))
    } act: { service, _ in
        .signedIn(try await service.signIn(.apple, "bob"))
    } check: { service, before, outcome in
        let again = try await service.signIn(.apple, "bob")
        try await service.expect(again.session, isOf: before.user)
    }

    private static let reuse = FaultScenario(
        description: "use a refresh token twice", refusal: .refreshTokenReused, notes: [.refreshTokenReused]
    ) { service in
        let bob = try await service.signUp(.apple, "bob")
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: bob.session.refreshToken))
            .session
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: next.refreshToken))
        return Before(bob)
    } act: { service, before in
        .session(
            try await service.services.sessions.refresh(RefreshRequest(refreshToken: before.session.refreshToken))
                .session)
    } check: { service, before, _ in
        _ = try? await service.services.sessions.refresh(RefreshRequest(refreshToken: before.session.refreshToken))
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(before.session) }
    }

    private static let readHistory = FaultScenario(description: "read the history") { service in
        Before(try await service.bobWithTwo())
    } act: { service, before in
        let page = try await service.services.account.history(
            before.user, before: nil, limit: 10, caller: try await service.caller(before.session)
        )
        #expect(page.entries.map(\.act) == [.providerLinked, .accountCreated])
        return .done
    } check: { service, before, _ in
        try await service.expect(before.session, isOf: before.user)
    }
}
