import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// Deleted accounts that a backup, an older bucket version or a recovery brings back.
@Suite struct ResurrectionTests {
    /// Copies the accounts and identities of an older state over a store, as a restored database file does.
    private static func restore(_ old: MemoryObjectStore, into store: MemoryObjectStore) async throws {
        for prefix in [StorageLayout.accounts, StorageLayout.identities] {
            for object in try await old.list(prefix: prefix, after: nil, limit: 1000).objects {
                let bytes = try #require(try await old.get(object.key)).bytes
                _ = try await store.put(object.key, bytes, if: .always)
            }
        }
    }

    @Test("an account that a restored database brings back opens nothing from the start, and is erased again")
    func restoredDatabase() async throws {
        let fixture = try await DeletionFixture()
        let neighbour = try await fixture.service.signUp(.google, "neighbour", device: 7)
        let (old, start) = (fixture.memory.copy { fixture.clock.now }, fixture.clock.now)
        let code = try #require(try await fixture.schedule().receiptCode)
        try await fixture.eraseCompletely()
        let receipt = try await fixture.services.deletion.status(receiptCode: code).receipt
        // At the time of the old state its tokens are valid.
        let clock = TestClock(start)
        let store = fixture.memory.copy { clock.now }
        try await Self.restore(old, into: store)
        let service = try await TestService.make(fixture.options, store: store, clock: clock)

        await expectEnded { _ = try await service.caller(fixture.bob.session) }
        await expectEnded {
            _ = try await service.services.sessions.refresh(
                RefreshRequest(refreshToken: fixture.bob.session.refreshToken))
        }
        let error = await ServiceError.caught { _ = try await service.signIn(.google, "canary-google", device: 2) }
        guard case .noAccountFound? = error else {
            Issue.record("signed in: \(String(describing: error))")
            return
        }
        let other = await ServiceError.caught {
            _ = try await service.signIn(.google, "other-google", email: DeletionFixture.email, device: 3)
        }
        guard case .noAccountFound(let unknown)? = other else {
            Issue.record("signed in: \(String(describing: other))")
            return
        }
        #expect(unknown.hints.isEmpty, "its address reveals no provider")
        let support = AccountSupport(accounts: service.components.accounts, codes: service.components.deletionCodes)
        let reason = try #require(OperatorReason("Ticket 1"))
        await #expect(throws: AccountSupport.Refusal.erasing, "a hold would stop the erasure") {
            try await support.placeHold(on: fixture.user, reason: reason)
        }
        _ = service.store.drainRequests()
        _ = try await service.caller(neighbour.session)
        #expect(service.store.drainRequests().count == 2, "other accounts cost no request more")

        try await service.services.deviceCleanup.cleanUpDevices()
        for _ in 0..<80 {
            clock.advance(by: 3600)
            try await service.services.eventDelivery.deliverEvents()
            try await service.services.accountErasure.eraseDueAccounts()
        }
        #expect(try await service.components.accounts.account(fixture.user) == nil)
        #expect(try await fixture.traces(in: store) == [])
        #expect(try await service.services.deletion.status(receiptCode: code).receipt == receipt)
    }

    @Test("a restored account whose deletion had been scheduled cannot be kept with its undo code or a sign-in")
    func restoredWhileScheduled() async throws {
        let fixture = try await DeletionFixture()
        let undo = try #require(try await fixture.schedule().undoCode)
        let old = fixture.memory.copy { fixture.clock.now }
        try await fixture.eraseCompletely()
        try await Self.restore(old, into: fixture.memory)
        let service = try await TestService.make(fixture.options, store: fixture.memory, clock: fixture.clock)
        let error = await ServiceError.caught { try await service.services.deletion.cancel(undoCode: undo) }
        guard case .noDeletionScheduled? = error else {
            Issue.record("cancelled: \(String(describing: error))")
            return
        }
        let new = try await service.signUp(.apple, DeletionFixture.subject, device: 9)
        #expect(new.user.serviceUserID != fixture.user, "the identity is free")
    }

    @Test("the index reads an entry for each account until it is read, then only for accounts in the ledger")
    func index() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        try await fixture.eraseCompletely()
        let index = ErasedAccountIndex(fixture.accounts.erasures)
        let other = UserID(uuid: UUID())
        let store = fixture.service.store
        func requests(_ user: UserID, finds expected: Bool) async throws -> Int {
            _ = store.drainRequests()
            #expect(try await index.contains(user) == expected)
            return store.drainRequests().count
        }
        #expect(try await requests(fixture.user, finds: false) == 0, "commands check nothing")
        index.activate()
        #expect(try await requests(fixture.user, finds: true) == 1)
        #expect(try await requests(other, finds: false) == 1)
        try await index.read()
        #expect(try await requests(fixture.user, finds: true) == 1)
        #expect(try await requests(other, finds: false) == 0)
    }

    @Test("a recovery of a snapshot from before a deletion erases the account again, with the exported ledger")
    func recovery() async throws {
        let fixture = try await DeletionFixture()
        let snapshots = SnapshotFixture(service: fixture.service, store: fixture.memory)
        let file = try await snapshots.snapshot()
        let code = try #require(try await fixture.schedule().receiptCode)
        try await fixture.eraseCompletely()
        var ledger: [Data] = []
        _ = try await ErasureLedgerCopy(fixture.memory, fixture.accounts.keyRing).write { ledger.append($0) }

        let refused = MemoryObjectStore { fixture.clock.now }
        await #expect(throws: SnapshotError.ledger(.notAuthentic)) {
            try await snapshots.recover(file, into: refused, ledger: [Data("x".utf8)])
        }
        #expect(try await refused.list(prefix: "", after: nil, limit: 1).objects.isEmpty, "refused before a write")
        let unaware = MemoryObjectStore { fixture.clock.now }
        #expect(try await snapshots.recover(file, into: unaware).deletedAgain == [])

        let target = MemoryObjectStore { fixture.clock.now }
        let recovered = try await snapshots.recover(file, into: target, ledger: ledger)
        #expect(recovered.addedDeletions == 1 && recovered.deletedAgain == [fixture.user])
        let service = try await TestService.make(fixture.options, store: target, clock: fixture.clock)
        let error = await ServiceError.caught { _ = try await service.signIn(.google, "canary-google", device: 2) }
        guard case .noAccountFound? = error else {
            Issue.record("signed in: \(String(describing: error))")
            return
        }
        for _ in 0..<(24 * 9) {
            fixture.clock.advance(by: 3600)
            try await service.services.eventDelivery.deliverEvents()
            try await service.services.accountErasure.eraseDueAccounts()
        }
        #expect(try await service.components.accounts.account(fixture.user) == nil)
        #expect(try await fixture.traces(in: target) == [])
        let receipt = try await fixture.services.deletion.status(receiptCode: code).receipt
        #expect(try await service.services.deletion.status(receiptCode: code).receipt == receipt)
    }

    @Test("a snapshot from after a deletion carries the ledger: the receipt stays, and an old copy is refused")
    func carriedLedger() async throws {
        let fixture = try await DeletionFixture()
        let old = fixture.memory.copy { fixture.clock.now }
        let snapshots = SnapshotFixture(service: fixture.service, store: fixture.memory)
        let code = try #require(try await fixture.schedule().receiptCode)
        try await fixture.eraseCompletely()
        let target = MemoryObjectStore { fixture.clock.now }
        let recovered = try await snapshots.recover(try await snapshots.snapshot(), into: target)
        #expect(recovered.addedDeletions == 0 && recovered.deletedAgain == [])
        try await Self.restore(old, into: target)
        let service = try await TestService.make(fixture.options, store: target, clock: fixture.clock)
        #expect(try await service.components.accounts.usableAccount(fixture.user) == nil)
        let status = try await fixture.services.deletion.status(receiptCode: code)
        #expect(status.state == .completed && status.receipt != nil)
    }

    private func expectEnded(_ call: () async throws -> Void, at location: SourceLocation = #_sourceLocation) async {
        let error = await ServiceError.caught { try await call() }
        guard case .sessionEnded? = error else {
            Issue.record("\(String(describing: error))", sourceLocation: location)
            return
        }
    }
}
