import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Bindings that cannot be re-keyed are reported and kept; they block the confirmation.
@Suite struct RekeyingFailureTests {
    private let unknownUserID = "00000000-0000-4000-8000-000000000000"

    /// An obstacle to re-keying, and how to create it.
    enum Obstacle: CaseIterable {
        case lostClaim, unreadableClaim, bindingOfUnknownUser, lostDocument, unreadableDocument, unreadableSubject

        var move: RekeyingScenario { self == .unreadableSubject ? .hashedToPlain : .plainToHashed }

        var kinds: Set<RepairFinding.Kind> {
            switch self {
            case .lostClaim: [.claimMissing]
            case .unreadableClaim: [.claimUnreadable]
            case .bindingOfUnknownUser: [.claimWithoutAccount]
            case .lostDocument: [.accountLost, .claimWithoutAccount]
            case .unreadableDocument: [.accountUnreadable]
            case .unreadableSubject: [.subjectUnreadable]
            }
        }
    }

    private func make(_ trouble: Obstacle, in fixture: RekeyingFixture) async throws {
        let subject = RekeyingFixture.subjects[0]
        let user = try #require(fixture.users[subject])
        let claim = ObjectKey(known: "identities/google/\(subject)")
        let document = ObjectKey(known: StorageLayout.accountDocument(user))
        switch trouble {
        case .lostClaim: try await fixture.store.delete(claim, if: .always)
        case .unreadableClaim:
            _ = try await fixture.store.put(claim, ByteBuffer(string: "\(unknownUserID)"), if: .always)
        case .bindingOfUnknownUser:
            let bytes = ByteBuffer(string: "\(unknownUserID)\n\(unknownUserID)\n")
            _ = try await fixture.store.put(ObjectKey(known: "identities/myspace/x"), bytes, if: .always)
        case .lostDocument: try await fixture.store.delete(document, if: .always)
        case .unreadableDocument: _ = try await fixture.store.put(document, ByteBuffer(string: "{"), if: .always)
        case .unreadableSubject:
            let stored = try #require(try await fixture.store.get(document))
            let text = String(buffer: stored.bytes).replacing(
                "\"sealedSubject\":\"test.", with: "\"sealedSubject\":\"no.")
            _ = try await fixture.store.put(document, ByteBuffer(string: text), if: .always)
        }
    }

    @Test(
        "an obstacle to re-keying is reported, blocks confirm and does not block undo",
        arguments: Obstacle.allCases)
    func blocked(trouble: Obstacle) async throws {
        let fixture = try await RekeyingFixture(trouble.move)
        try await make(trouble, in: fixture)
        let old = try await fixture.bindings()
        let planned = try await fixture.collectFindings { migration in
            let summary = try await migration.plan(to: trouble.move.to)
            #expect(summary.isBlocked)
        }
        #expect(planned.kinds.isSuperset(of: trouble.kinds), "\(planned)")
        let applied = try await fixture.collectFindings { migration in
            let summary = try await migration.apply(to: trouble.move.to)
            #expect(summary.isBlocked)
        }
        #expect(applied.kinds.isSuperset(of: trouble.kinds), "\(applied)")
        let both = try await fixture.bindings()
        let confirmed = try await fixture.collectFindings { _ = try await $0.confirm() }
        guard case .incomplete = confirmed.error else {
            Issue.record("\(String(describing: confirmed.error))")
            return
        }
        #expect(try await fixture.bindings() == both)
        #expect(try await fixture.service.rekeying().status()?.phase == .both)
        _ = try await fixture.service.rekeying().undo()
        #expect(try await fixture.bindings() == old)
    }

    @Test("re-keying does not end while a key cannot be removed, and ends once it can")
    func unsettledName() async throws {
        let fixture = try await RekeyingFixture(.plainToHashed)
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        let both = try await fixture.bindings()
        let key = ObjectKey(known: "identities/google/\(RekeyingFixture.subjects[0])")
        let claim = try #require(try await fixture.store.get(key)).bytes
        _ = try await fixture.store.put(key, ByteBuffer(string: unknownUserID), if: .always)
        let undone = try await fixture.collectFindings { _ = try await $0.undo() }
        guard case .incomplete = undone.error else {
            Issue.record("\(String(describing: undone.error))")
            return
        }
        #expect(try await fixture.service.rekeying().status()?.phase == .undone)
        // The binding at the other key is the only record of the identity's owner.
        let left = try await fixture.bindings().filter { $0.key.contains("~") && both[$0.key] == $0.value }
        #expect(left.values.contains(String(buffer: claim)))
        _ = try await fixture.store.put(key, claim, if: .always)
        _ = try await fixture.service.rekeying().undo()
        #expect(try await fixture.service.rekeying().status() == nil)
        try await fixture.expectAllSignIn()
    }

    @Test("a lost binding that repair has written again is re-keyed with the others")
    func repaired() async throws {
        let fixture = try await RekeyingFixture(.plainToHashed)
        try await make(.lostClaim, in: fixture)
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        _ = try await Repair(fixture.service.components.accounts, isDryRun: false) { _ in }.run()
        _ = try await fixture.service.rekeying().confirm()
        try await fixture.expectAllSignIn()
    }

    @Test("two accounts that list one identity are reported and kept, and the bound one keeps the identity")
    func conflict() async throws {
        let fixture = try await RekeyingFixture(.plainToHashed)
        let subject = RekeyingFixture.subjects[0]
        let first = try #require(fixture.users[subject])
        let claim = ObjectKey(known: "identities/google/\(subject)")
        let bytes = try #require(try await fixture.store.get(claim)).bytes
        try await fixture.store.delete(claim, if: .always)
        let second = try await fixture.service.signUp(.google, subject, device: 30).user.serviceUserID
        fixture.clock.advance(by: 7200)
        let other = try await fixture.store.get(claim)?.bytes
        #expect(bytes != other && first != second)
        let applied = try await fixture.collectFindings { _ = try await $0.apply(to: .hashed) }
        #expect(applied.kinds == [.claimTaken])
        _ = try await fixture.service.rekeying().confirm()
        #expect(try await fixture.service.owner(.google, subject) == second)
        #expect(try await fixture.service.owner(.apple, subject) == first)
        #expect(try await fixture.findings().map(\.kind) == [.claimTaken])
    }

    @Test(
        "two accounts that each hold one key of an identity are reported and block nothing",
        arguments: [true, false])
    func conflictOfNames(isConfirmed: Bool) async throws {
        let fixture = try await RekeyingFixture(.plainToHashed)
        let subject = RekeyingFixture.subjects[0]
        let first = try #require(fixture.users[subject])
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        let both = try await fixture.bindings().filter { $0.value.contains("\(first)") && $0.key.contains("/google/") }
        let new = ObjectKey(known: try #require(both.keys.first { $0.contains("~") }))
        for key in both.keys { try await fixture.store.delete(ObjectKey(known: key), if: .always) }
        let second = try await fixture.service.signUp(.google, subject, device: 30).user.serviceUserID
        // The old binding was read before the loss, and the new one is written after it.
        _ = try await fixture.store.put(new, ByteBuffer(string: #require(both[new.description])), if: .always)
        let ended = try await fixture.collectFindings { migration in
            _ = isConfirmed ? try await migration.confirm() : try await migration.undo()
        }
        #expect(ended.error == nil && ended.kinds.contains(.claimTaken))
        #expect(try await fixture.service.rekeying().status() == nil)
        // The key in force decides.
        #expect(try await fixture.service.owner(.google, subject) == (isConfirmed ? first : second))
        #expect(try await fixture.findings().map(\.kind) == [.claimTaken])
    }

    @Test("steps out of order are rejected")
    func order() async throws {
        let fixture = try await RekeyingFixture(.hashedToNewKey)
        let migration = fixture.service.rekeying()
        await #expect(throws: RekeyingError.notInProgress) { try await migration.confirm() }
        await #expect(throws: RekeyingError.notInProgress) { try await migration.undo() }
        _ = try await migration.apply(to: .hashed)
        let running = try #require(try await migration.status())
        await #expect(throws: RekeyingError.alreadyInProgress(running)) { try await migration.apply(to: .plain) }
        #expect(try await migration.apply(to: .hashed).isComplete)
    }

    @Test("a confirmed re-keying cannot be undone, and one being undone cannot be confirmed", arguments: [true, false])
    func firstWordStands(isConfirmed: Bool) async throws {
        let fixture = try await RekeyingFixture(.plainToHashed)
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        let faulty = FaultyObjectStore(fixture.store)
        var options = TestService.Options()
        options.seed = 7
        let dying = try await TestService.make(options, store: faulty, clock: fixture.clock)
        let waits = Mutex(0)
        let migration = IdentityRekeying(dying.components.accounts) { seconds in
            // The phase has just begun.
            waits.withLock { $0 += 1 }
            faulty.arm(.stopBefore, at: 0)
            fixture.clock.advance(by: seconds)
        } report: { _ in
        }
        await #expect(throws: RekeyingError.account(.store(.unavailable("stopped")))) {
            _ = isConfirmed ? try await migration.confirm() : try await migration.undo()
        }
        #expect(waits.withLock { $0 } == 1)
        let later = fixture.service.rekeying()
        if isConfirmed {
            await #expect(throws: RekeyingError.alreadyConfirmed) { try await later.undo() }
            _ = try await later.confirm()
        } else {
            await #expect(throws: RekeyingError.undoInProgress) { try await later.confirm() }
            _ = try await later.undo()
        }
        try await fixture.expectAllSignIn()
        #expect(try await fixture.findings() == [])
    }

    @Test("an instance without the new key treats no identity as free, and none can start without it")
    func missingKey() async throws {
        let fixture = try await RekeyingFixture(.hashedToNewKey)
        let stale = try await TestService.make(store: fixture.store, clock: fixture.clock)
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        await #expect(throws: ServiceError.internal("missingKey(\"test2\")")) {
            try await stale.signIn(.google, RekeyingFixture.subjects[0])
        }
        await #expect(throws: StoreManifestError.missingKey("test2")) {
            try await TestService.make(store: fixture.store, clock: fixture.clock)
        }
    }
}
