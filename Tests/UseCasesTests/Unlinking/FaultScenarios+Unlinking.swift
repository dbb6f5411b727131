import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Pending unlinks: requested, undone, carried out.
extension FaultScenario {
    static let unlinking: [FaultScenario] = [request, undo, due]

    private static let day = DelayedUnlink.day

    private static func state(
        of provider: ProviderName, _ service: TestService, _ before: Before
    ) async throws -> LinkState? {
        let caller = try await service.caller(before.session)
        let links = try await service.services.account.linkedAccounts(caller).linkedProviders
        return links.first { $0.provider == provider }?.state
    }

    private static let request = FaultScenario(
        description: "request a delayed unlinking", notes: [.providerUnlinkRequested], unlinkDelay: day
    ) { service in
        Before(try await service.bobWithTwo())
    } act: { service, before in
        try await service.unlink(.apple, in: before.session)
        return .done
    } check: { service, before, outcome in
        let state = try await state(of: .apple, service, before)
        #expect(state == .removing || outcome == nil && state == .active)
        try await service.expect(before.session, isOf: before.user)
        try await service.expect(.google, "bob", opens: before.user)
    }

    private static let undo = FaultScenario(
        description: "undo an unlinking", notes: [.providerUnlinkUndone], unlinkDelay: day
    ) { service in
        let bob = try await service.bobWithTwo()
        try await service.unlink(.apple, in: bob.session)
        return Before(bob)
    } act: { service, before in
        try await service.undoUnlink(.apple, in: before.session)
        return .done
    } check: { service, before, outcome in
        if outcome != nil { #expect(try await state(of: .apple, service, before) == .active) }
        try await service.expect(.apple, "bob", opens: before.user)
        #expect(try await state(of: .apple, service, before) == .active)
    }

    private static let due = FaultScenario(
        description: "sign in with an identity whose unlinking is due", notes: [.providerUnlinked], unlinkDelay: day
    ) { service in
        let bob = try await service.bobWithTwo()
        try await service.unlink(.apple, in: bob.session)
        service.clock.advance(by: day)
        return Before(bob)
    } act: { service, _ in
        do {
            return .signedIn(try await service.signIn(.apple, "bob", device: 5))
        } catch ServiceError.noAccountFound {
            return .done
        }
    } check: { service, before, outcome in
        if case .signedIn = outcome { Issue.record("an identity that was unlinked signed in") }
        try await service.expect(.apple, "bob", opens: nil)
        try await service.expect(.google, "bob", opens: before.user)
    }
}
