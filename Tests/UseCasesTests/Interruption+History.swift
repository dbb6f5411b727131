import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

/// Events moving from devices into the chain. Each run checks that none is lost, duplicated or out of order.
extension Interruption {
    static let history: [Interruption] = [
        settleAndUnlink, unlinkAndSettle, twoSettlements, settleAndSignIn, settleAndRemoval, removalAndSettle,
        removalAndSignIn, signInAndRemoval, twoFullSignIns, fullSignInAndSettle, twoRemovals,
    ]

    private static let settleAndUnlink = pair("upkeep, an unlink inside", settle, unlink, .providerUnlinked)
    private static let unlinkAndSettle = pair("an unlink, upkeep inside", unlink, settle, .providerUnlinked)
    private static let twoSettlements = pair("upkeep on two instances", settle, settle, nil)
    private static let settleAndSignIn = pair("upkeep, a sign-in inside", settle, signIn, .signedIn)
    private static let settleAndRemoval = pair("upkeep, a removal inside", settle, remove, .deviceRemoved)
    private static let removalAndSettle = pair("a removal, upkeep inside", remove, settle, .deviceRemoved)
    private static let removalAndSignIn = pair("a removal, a sign-in there inside", remove, signIn, .signedIn)
    private static let signInAndRemoval = pair("a sign-in, a removal there inside", signIn, remove, .signedIn)
    private static let twoRemovals = Interruption(
        description: "one device removed twice", prepare: bobOnTwoDevices, first: remove, second: remove
    ) { service, before, outcome in
        #expect(outcome.first == nil || outcome.second == nil, "\(outcome)")
        let count = try await service.auditEvents(of: before.user).count { $0 == .deviceRemoved }
        #expect(count == 1)
    }

    private static let twoFullSignIns = Interruption(
        description: "two sign-ins on a full device", prepare: bobOnFullTablet, first: signIn, second: signIn
    ) { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
        let count = try await service.auditEvents(of: before.user).count { $0 == .signedIn }
        #expect(count == PendingAuditEvent.limit + 2)
    }

    private static let fullSignInAndSettle = Interruption(
        description: "a sign-in on a full device, upkeep inside", prepare: bobOnFullTablet, first: signIn,
        second: settle
    ) { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
        let count = try await service.auditEvents(of: before.user).count { $0 == .signedIn }
        #expect(count == PendingAuditEvent.limit + 1)
    }

    /// Bob's tablet has a pending sign-in event, and the phone a pending reauthentication event.
    private static func pair(
        _ description: String, _ first: @escaping Operation, _ second: @escaping Operation, _ noted: AuditAction?
    ) -> Interruption {
        Interruption(
            description: description,
            prepare: { service in
                let before = try await bobOnTwoDevices(service)
                _ = try await service.reauthenticate(.apple, "bob", in: before.session)
                return before
            }, first: first, second: second
        ) { service, before, outcome in
            #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
            let events = try await service.auditEvents(of: before.user)
            if let noted { #expect(events.contains(noted)) }
            #expect(events.count { $0 == .reauthenticated } == 1)
        }
    }

    private static let bobOnFullTablet: @Sendable (TestService) async throws -> Before = { service in
        let phone = try await service.bobWithTwo()
        for _ in 0..<PendingAuditEvent.limit { _ = try await service.signIn(.apple, "bob", device: 2) }
        return Before(phone)
    }

    private static let settle: Operation = { service, _ in try await service.services.deviceCleanup.cleanUpDevices() }
    private static let unlink: Operation = { service, before in try await service.unlink(.google, in: before.session) }
    private static let signIn: Operation = { service, _ in _ = try await service.signIn(.apple, "bob", device: 2) }

    private static let remove: Operation = { service, before in
        try await service.services.devices.removeDevice(
            TestService.device(2).id, caller: try await service.caller(before.session)
        )
    }
}
