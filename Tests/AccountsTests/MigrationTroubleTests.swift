import Accounts
import Flows
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// Bindings that cannot be re-keyed are reported and kept; they block the confirmation.
@Suite struct MigrationTroubleTests {
    private let nobody = "00000000-0000-4000-8000-000000000000"

    /// An obstacle to re-keying, and how to create it.
    enum Trouble: CaseIterable {
        case lostClaim, unreadableClaim, claimOfNobody, lostDocument, unreadableDocument, unreadableSubject

        var move: Move { self == .unreadableSubject ? .hashedToPlain : .plainToHashed }

        var kinds: Set<RepairFinding.Kind> {
            switch self {
            case .lostClaim: [.claimMissing]
            case .unreadableClaim: [.claimUnreadable]
            case .claimOfNobody: [.claimWithoutAccount]
            case .lostDocument: [.accountLost, .claimWithoutAccount]
            case .unreadableDocument: [.accountUnreadable]
            case .unreadableSubject: [.subjectUnreadable]
            }
        }
    }

    private func make(_ trouble: Trouble, in world: MigrationWorld) async throws {
        let subject = MigrationWorld.subjects[0]
        let user = try #require(world.users[subject])
        let claim = ObjectKey(known: "identities/google/\(subject)")
        let document = ObjectKey(known: StorageLayout.accountDocument(user))
        switch trouble {
        case .lostClaim: try await world.store.delete(claim, if: .always)
        case .unreadableClaim: _ = try await world.store.put(claim, ByteBuffer(string: "\(nobody)"), if: .always)
        case .claimOfNobody:
            let bytes = ByteBuffer(string: "\(nobody)\n\(nobody)\n")
            _ = try await world.store.put(ObjectKey(known: "identities/myspace/x"), bytes, if: .always)
        case .lostDocument: try await world.store.delete(document, if: .always)
        case .unreadableDocument: _ = try await world.store.put(document, ByteBuffer(string: "{"), if: .always)
        case .unreadableSubject:
            let stored = try #require(try await world.store.get(document))
            let text = String(buffer: stored.bytes).replacing(
                "\"sealedSubject\":\"test.", with: "\"sealedSubject\":\"no.")
            _ = try await world.store.put(document, ByteBuffer(string: text), if: .always)
        }
    }

    @Test(
        "an obstacle to re-keying is reported, blocks confirm and does not block undo",
        arguments: Trouble.allCases)
    func blocked(trouble: Trouble) async throws {
        let world = try await MigrationWorld(trouble.move)
        try await make(trouble, in: world)
        let old = try await world.claims()
        let planned = try await world.reporting { migration in
            let summary = try await migration.plan(to: trouble.move.to)
            #expect(summary.isBlocked)
        }
        #expect(planned.kinds.isSuperset(of: trouble.kinds), "\(planned)")
        let applied = try await world.reporting { migration in
            let summary = try await migration.apply(to: trouble.move.to)
            #expect(summary.isBlocked)
        }
        #expect(applied.kinds.isSuperset(of: trouble.kinds), "\(applied)")
        let both = try await world.claims()
        let confirmed = try await world.reporting { _ = try await $0.confirm() }
        guard case .incomplete = confirmed.error else {
            Issue.record("\(String(describing: confirmed.error))")
            return
        }
        #expect(try await world.claims() == both)
        #expect(try await world.service.migration().status()?.phase == .both)
        _ = try await world.service.migration().undo()
        #expect(try await world.claims() == old)
    }

    @Test("re-keying does not end while a key cannot be removed, and ends once it can")
    func unsettledName() async throws {
        let world = try await MigrationWorld(.plainToHashed)
        _ = try await world.service.migration().apply(to: .hashed)
        let both = try await world.claims()
        let key = ObjectKey(known: "identities/google/\(MigrationWorld.subjects[0])")
        let claim = try #require(try await world.store.get(key)).bytes
        _ = try await world.store.put(key, ByteBuffer(string: nobody), if: .always)
        let undone = try await world.reporting { _ = try await $0.undo() }
        guard case .incomplete = undone.error else {
            Issue.record("\(String(describing: undone.error))")
            return
        }
        #expect(try await world.service.migration().status()?.phase == .undone)
        // The binding at the other key is the only record of the identity's owner.
        let left = try await world.claims().filter { $0.key.contains("~") && both[$0.key] == $0.value }
        #expect(left.values.contains(String(buffer: claim)))
        _ = try await world.store.put(key, claim, if: .always)
        _ = try await world.service.migration().undo()
        #expect(try await world.service.migration().status() == nil)
        try await world.expectAllComeIn()
    }

    @Test("a lost binding that repair has written again is re-keyed with the others")
    func repaired() async throws {
        let world = try await MigrationWorld(.plainToHashed)
        try await make(.lostClaim, in: world)
        _ = try await world.service.migration().apply(to: .hashed)
        _ = try await Repair(world.service.services.accounts, isDry: false) { _ in }.run()
        _ = try await world.service.migration().confirm()
        try await world.expectAllComeIn()
    }

    @Test("two accounts that list one identity are reported and kept, and the bound one keeps the identity")
    func conflict() async throws {
        let world = try await MigrationWorld(.plainToHashed)
        let subject = MigrationWorld.subjects[0]
        let first = try #require(world.users[subject])
        let claim = ObjectKey(known: "identities/google/\(subject)")
        let bytes = try #require(try await world.store.get(claim)).bytes
        try await world.store.delete(claim, if: .always)
        let second = try await world.service.signUp(.google, subject, device: 30).user.serviceUserID
        world.clock.advance(by: 7200)
        let other = try await world.store.get(claim)?.bytes
        #expect(bytes != other && first != second)
        let applied = try await world.reporting { _ = try await $0.apply(to: .hashed) }
        #expect(applied.kinds == [.claimTaken])
        _ = try await world.service.migration().confirm()
        #expect(try await world.service.owner(.google, subject) == second)
        #expect(try await world.service.owner(.apple, subject) == first)
        #expect(try await world.findings().map(\.kind) == [.claimTaken])
    }

    @Test(
        "two accounts that each hold one key of an identity are reported and block nothing",
        arguments: [true, false])
    func conflictOfNames(isConfirmed: Bool) async throws {
        let world = try await MigrationWorld(.plainToHashed)
        let subject = MigrationWorld.subjects[0]
        let first = try #require(world.users[subject])
        _ = try await world.service.migration().apply(to: .hashed)
        let both = try await world.claims().filter { $0.value.contains("\(first)") && $0.key.contains("/google/") }
        let new = ObjectKey(known: try #require(both.keys.first { $0.contains("~") }))
        for key in both.keys { try await world.store.delete(ObjectKey(known: key), if: .always) }
        let second = try await world.service.signUp(.google, subject, device: 30).user.serviceUserID
        // The old binding was read before the loss, and the new one is written after it.
        _ = try await world.store.put(new, ByteBuffer(string: #require(both[new.description])), if: .always)
        let ended = try await world.reporting { migration in
            _ = isConfirmed ? try await migration.confirm() : try await migration.undo()
        }
        #expect(ended.error == nil && ended.kinds.contains(.claimTaken))
        #expect(try await world.service.migration().status() == nil)
        // The key in force decides.
        #expect(try await world.service.owner(.google, subject) == (isConfirmed ? first : second))
        #expect(try await world.findings().map(\.kind) == [.claimTaken])
    }

    @Test("steps out of order are rejected")
    func order() async throws {
        let world = try await MigrationWorld(.hashedToNewKey)
        let migration = world.service.migration()
        await #expect(throws: MigrationError.noneIsUnderWay) { try await migration.confirm() }
        await #expect(throws: MigrationError.noneIsUnderWay) { try await migration.undo() }
        _ = try await migration.apply(to: .hashed)
        let running = try #require(try await migration.status())
        await #expect(throws: MigrationError.isUnderWay(running)) { try await migration.apply(to: .plain) }
        #expect(try await migration.apply(to: .hashed).isWhole)
    }

    @Test("a confirmed re-keying cannot be undone, and one being undone cannot be confirmed", arguments: [true, false])
    func firstWordStands(isConfirmed: Bool) async throws {
        let world = try await MigrationWorld(.plainToHashed)
        _ = try await world.service.migration().apply(to: .hashed)
        let faulty = FaultyObjectStore(world.store)
        var options = TestService.Options()
        options.seed = 7
        let dying = try await TestService.make(options, store: faulty, clock: world.clock)
        let waits = Mutex(0)
        let migration = Migration(dying.services.accounts) { seconds in
            // The phase has just begun.
            waits.withLock { $0 += 1 }
            faulty.arm(.stopBefore, at: 0)
            world.clock.advance(by: seconds)
        } report: { _ in
        }
        await #expect(throws: MigrationError.self) {
            _ = isConfirmed ? try await migration.confirm() : try await migration.undo()
        }
        #expect(waits.withLock { $0 } == 1)
        let later = world.service.migration()
        if isConfirmed {
            await #expect(throws: MigrationError.isConfirmed) { try await later.undo() }
            _ = try await later.confirm()
        } else {
            await #expect(throws: MigrationError.isBeingUndone) { try await later.confirm() }
            _ = try await later.undo()
        }
        try await world.expectAllComeIn()
        #expect(try await world.findings() == [])
    }

    @Test("an instance without the new key treats no identity as free, and none can start without it")
    func missingKey() async throws {
        let world = try await MigrationWorld(.hashedToNewKey)
        let stale = try await TestService.make(store: world.store, clock: world.clock)
        _ = try await world.service.migration().apply(to: .hashed)
        await #expect(throws: FlowError.internal("missingKey(\"test2\")")) {
            try await stale.signIn(.google, MigrationWorld.subjects[0])
        }
        await #expect(throws: StoreStampError.missingKey("test2")) {
            try await TestService.make(store: world.store, clock: world.clock)
        }
    }
}
