import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The invariants of event delivery: each event of every chain was delivered, first deliveries are in chain order, and
/// nothing else was sent.
struct EventRules {
    let service: TestService
    let receiver: RecordingEventReceiver

    /// Runs the jobs that find and send remaining events, then compares.
    func check() async throws {
        service.clock.advance(by: 61)
        try await service.services.deviceCleanup.cleanUpDevices()
        for _ in 0..<3 {
            service.clock.advance(by: 61)
            try await service.services.eventDelivery.deliverEvents()
        }
        let rest = try await service.store.list(prefix: StorageLayout.eventDeliveries, after: nil, limit: 10).objects
        #expect(rest.isEmpty, "\(rest.map(\.key))")
        let accounts = try await StoreRules(service: service).accounts()
        for account in accounts.values { try await check(account) }
        #expect(
            Set(receiver.events.map(\.user)).isSubset(of: accounts.keys), "an event of an unknown account")
    }

    private func check(_ account: AccountDocument) async throws {
        let user = account.serviceUserID
        let told = receiver.firstEvents(of: user)
        guard try await isFinished(account) else {
            #expect(told.isEmpty, "an unfinished account has events: \(user)")
            return
        }
        #expect(account.unsentEvents == nil)
        let entries = try await service.components.accounts.history(of: account, before: nil, limit: 1000).reversed()
        let expected = entries.filter { EventType($0) != nil }
        #expect(told.map(\.sequence) == expected.map(\.sequence), "\(told.map(\.type)) of \(entries.map(\.act))")
        #expect(told.map(\.type) == expected.compactMap { EventType($0) })
    }

    /// Returns whether the sign-up of an account completed; an interrupted one leaves no audit entry object.
    private func isFinished(_ account: AccountDocument) async throws -> Bool {
        let first = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: 1))
        guard account.isUsable else { return false }
        return try await service.store.head(first) != nil
    }
}
