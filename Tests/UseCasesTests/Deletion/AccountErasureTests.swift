import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Synchronization
import Testing

@testable import UseCases

/// Access that the store denies.
struct DeniedErasure: ErasureAccess {
    let keepsVersions = false

    func erasure(of user: UserID) throws(CredentialIssuerError) -> any StoreErasure { throw .refused("no permission") }

    func erasure(of user: UserID, keys: [ObjectKey]) throws(CredentialIssuerError) -> any StoreErasure {
        throw .refused("no permission")
    }

    func eraseDeletedData(of user: UserID) {}
}

/// The erasure of a deleted account, and its receipt.
@Suite struct AccountErasureTests {
    @Test("after the period for cancelling nothing mentions the person, and a signed receipt says what was erased")
    func complete() async throws {
        let fixture = try await DeletionFixture()
        let code = try #require(try await fixture.schedule().receiptCode)
        let trialEnd = try #require(try await fixture.accounts.account(fixture.user)?.value.trial?.endsAt)
        var identifiers = AccountIdentifiers(fixture.user)
        try await identifiers.addStored(in: fixture.accounts)
        let before = Mutex([String: [SearchTerms.Kind]]())
        _ = try await AbsenceProof(fixture.memory, terms: SearchTerms(identifiers)).run { place, kinds in
            before.withLock { $0[place] = kinds }
        }
        let mentions = before.withLock { $0 }
        #expect(mentions["key \(StorageLayout.accountDocument(fixture.user))"] == [.account])
        let binding = "identities/apple/\(DeletionFixture.subject)"
        #expect(mentions["key \(binding)"] == [.bindingKey, .subject])
        #expect(mentions["content of \(binding)"] == [.account, .link])
        let hint = try #require(identifiers.hints.first)
        #expect(mentions["key \(StorageLayout.emailHint(hint))"] == [.hint])
        let device = StorageLayout.device(fixture.user, TestService.device(2).id)
        #expect(mentions["key \(device)"] == [.account, .device])
        #expect(try await fixture.services.deletion.status(receiptCode: code).state == .scheduled)
        fixture.clock.advance(by: 14 * 86_400 - 7200)
        try await fixture.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .deleting, "not due yet")
        fixture.clock.advance(by: 7200)
        try await fixture.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.services.deletion.status(receiptCode: code).state == .erasing)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        // An export of another person, of any size.
        _ = try await fixture.memory.put(
            ObjectKey(known: StorageLayout.exportHead(UserID(uuid: UUID()), ExportID(uuid: UUID()))),
            ByteBuffer(repeating: 0, count: 9 << 20), if: .always)
        let proof = AbsenceProof(fixture.memory, terms: SearchTerms(identifiers, texts: ["Canary"]))
        let places = Mutex([String]())
        _ = try await proof.run { place, _ in places.withLock { $0.append(place) } }
        #expect(places.withLock { $0 } == [])
        let status = try await fixture.services.deletion.status(receiptCode: code)
        #expect(status.state == .completed)
        let receipt = try await fixture.verified(
            try #require(status.receipt), by: try await fixture.services.deletion.receiptKeys())
        #expect(receipt["sub"] as? String == fixture.user.description && receipt["iss"] as? String == "photolala-test")
        let erased = try #require(receipt["erased"] as? [String: [String: Int]])
        #expect(erased["photos"]?["objects"] == 2 && erased["photos"]?["bytes"] == 28)
        #expect(erased["devices"]?["objects"] == 2 && erased["identities"]?["objects"] == 2)
        #expect(erased["email_hints"]?["objects"] == 1 && erased["subscriptions"]?["objects"] == 1)
        #expect(erased["other"]?["objects"] == 1)
        #expect(receipt["providers"] as? [String: String] == ["apple": "requested"])
        let remains = try #require(receipt["remains"] as? [[String: String]])
        let trial = try #require(remains.first { $0["what"]?.contains("free trial") == true })
        #expect(trial["until"] == trialEnd.addingTimeInterval(Trials.retention).ISO8601Format())
        let events = fixture.receiver.events.map(\.type)
        #expect(events.contains(.accountDeletionRequested) && events.last == .accountDeleted)
        // The identity is free.
        let new = try await fixture.service.signUp(.apple, DeletionFixture.subject, device: 9)
        #expect(new.user.serviceUserID != fixture.user)
    }

    @Test("every registered kind of data that a deletion erases is in the fixture, so that the tests cover it")
    func coverage() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        try await fixture.eraseCompletely()
        let receipt = try await fixture.receipt()
        let kinds = Set(try #require(receipt["erased"] as? [String: Any]).keys)
        // These exist only for minutes, or only on certain stores.
        let rare: Set = ["event_deliveries", "provider_calls", "team_transfers", "device_list"]
        let expected = Set(PersonalData.all.filter(\.isErased).map(\.name)).subtracting(rare)
        #expect(kinds.isSuperset(of: expected), "\(expected.subtracting(kinds))")
    }

    @Test("objects that arrive after the first round are erased and counted in the next one")
    func lateObject() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        fixture.clock.advance(by: 15 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        let late = ObjectKey(known: StorageLayout.photo(fixture.user, md5: String(repeating: "c", count: 32)))
        _ = try await fixture.memory.put(late, ByteBuffer(string: "late"), if: .always)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        let receipt = try await fixture.receipt()
        #expect((receipt["erased"] as? [String: [String: Int]])?["photos"]?["objects"] == 3)
        #expect(receipt["rounds"] as? Int == 3)
    }

    @Test("a provider that does not answer delays the erasure by a week at most, and the receipt says so")
    func providerDown() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        fixture.clock.advance(by: 14 * 86_400)
        fixture.service.network.fail(with: .connectionLost("down"))
        try await fixture.services.accountErasure.eraseDueAccounts()
        let tokens = try await fixture.service.components.providerTokens.all(of: fixture.user)
        #expect(tokens.count == 1, "the tokens stay for another attempt")
        #expect(
            try await fixture.memory.list(prefix: StorageLayout.photos(fixture.user), after: nil, limit: 1).objects
                == [])
        let record = try #require(try await fixture.accounts.deletions.record(fixture.user)).value
        #expect(record.failures == 1 && record.reason?.contains("revocation at apple") == true)
        fixture.clock.advance(by: 6 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.service.components.providerTokens.all(of: fixture.user).count == 1)
        try await fixture.eraseCompletely()
        let receipt = try await fixture.receipt()
        #expect(receipt["providers"] as? [String: String] == ["apple": "failed"])
        #expect(try await fixture.traces() == [])
    }

    @Test("an event receiver that refuses keeps the audit log for a week at most")
    func receiverDown() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        try await fixture.services.eventDelivery.deliverEvents()
        fixture.receiver.setResponse { _ in EventRejection("down") }
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        let log = StorageLayout.audit(fixture.user)
        #expect(try await !fixture.memory.list(prefix: log, after: nil, limit: 1).objects.isEmpty)
        fixture.clock.advance(by: 6 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        #expect(try await !fixture.memory.list(prefix: log, after: nil, limit: 1).objects.isEmpty)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
    }

    @Test("with no period for cancelling, storage credentials from before the request expire first")
    func fence() async throws {
        let fixture = try await DeletionFixture()
        var options = TestService.Options()
        options.deletionUndoPeriod = 0
        let service = try await TestService.make(options, store: fixture.memory, clock: fixture.clock)
        let back = try await service.signIn(.apple, DeletionFixture.subject)
        _ = try await service.services.deletion.schedule(
            .init(confirmation: "DELETE"), caller: try await service.caller(back.session))
        fixture.clock.advance(by: 4000)
        try await service.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .deleting)
        fixture.clock.advance(by: 600)
        try await service.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .deleted)
        // A slow upload that began before may take two days.
        for _ in 0..<40 {
            fixture.clock.advance(by: 3600)
            try await service.services.accountErasure.eraseDueAccounts()
        }
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .deleted)
        fixture.clock.advance(by: 8 * 3600)
        try await service.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.accounts.account(fixture.user) == nil)
    }

    @Test("an account whose data the service may not erase is not closed")
    func deniedAccess() async throws {
        let fixture = try await DeletionFixture { $0.erasure = DeniedErasure() }
        try await fixture.schedule()
        fixture.clock.advance(by: 20 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .deleting)
        #expect(
            try await fixture.accounts.deletions.record(fixture.user)?.value.reason?.contains("no permission") == true)
    }

    @Test("two instances that erase at once count every object once", arguments: 1...4)
    func twoInstances(seed: UInt64) async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        fixture.clock.advance(by: 14 * 86_400)
        var options = TestService.Options()
        options.seed = seed + 10
        options.eventReceiver = fixture.receiver
        let other = try await TestService.make(options, store: fixture.memory, clock: fixture.clock)
        for _ in 0..<200 {
            async let first = fixture.services.accountErasure.eraseDueAccounts()
            async let second = other.services.accountErasure.eraseDueAccounts()
            _ = try await (first, second)
            try await other.services.eventDelivery.deliverEvents()
            fixture.clock.advance(by: 3600)
        }
        #expect(try await fixture.traces() == [])
        let erased = try #require(try await fixture.receipt()["erased"] as? [String: [String: Int]])
        #expect(erased["photos"]?["objects"] == 2 && erased["devices"]?["objects"] == 2)
    }

    @Test("repair writes the missing record of a deletion, and the deletion is completed")
    func missingRecord() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        let key = ObjectKey(known: StorageLayout.deletion(fixture.user))
        try await fixture.memory.delete(key, if: .always)
        let kinds = Mutex([RepairFinding.Kind]())
        let summary = try await Repair(fixture.accounts, isDryRun: false) { found in
            kinds.withLock { $0.append(found.kind) }
        }.run()
        #expect(kinds.withLock { $0 }.contains(.deletionUnscheduled) && summary.settled >= 1)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
    }

    @Test("a tombstone that is lost during the erasure is reported, and its record stays")
    func lostTombstone() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        let key = ObjectKey(known: StorageLayout.accountDocument(fixture.user))
        try await fixture.memory.delete(key, if: .always)
        fixture.clock.advance(by: 3600)
        try await fixture.services.accountErasure.eraseDueAccounts()
        let record = try await fixture.accounts.deletions.record(fixture.user)?.value
        #expect(record?.reason?.contains("account document lost") == true)
    }

    @Test("the daily count writes a missing record, too")
    func missingRecordOfCount() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        let key = ObjectKey(known: StorageLayout.deletion(fixture.user))
        try await fixture.memory.delete(key, if: .always)
        try await fixture.services.usageCount.countUsage()
        #expect(try await fixture.accounts.deletions.record(fixture.user) != nil)
    }

    @Test("unreadable bindings and subscription records do not stop a deletion")
    func damagedObjects() async throws {
        let fixture = try await DeletionFixture()
        let account = try #require(try await fixture.accounts.account(fixture.user)).value
        try await fixture.schedule()
        let binding = try #require(fixture.accounts.bindingKeys(of: account).first)
        _ = try await fixture.memory.put(binding, ByteBuffer(string: "damaged"), if: .always)
        let record = ObjectKey(known: StorageLayout.subscription(environment: "sandbox", originalTransactionID: "1000"))
        _ = try await fixture.memory.put(record, ByteBuffer(string: "damaged"), if: .always)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        #expect(try await fixture.memory.get(binding) == nil)
    }

    @Test("one unreadable provider call of another person does not stop a deletion")
    func damagedCall() async throws {
        let fixture = try await DeletionFixture()
        let call = ObjectKey(known: StorageLayout.providerCall(UUID()))
        _ = try await fixture.memory.put(call, ByteBuffer(string: "damaged"), if: .always)
        try await fixture.schedule()
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
    }

    @Test("an account that is deleted while a purchase arrives is removed from the subscription's record")
    func lateSubscription() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        try await fixture.eraseCompletely()
        let records = fixture.service.components.subscriptions.records
        let id = try #require(SubscriptionID(.sandbox, "1000"))
        let record = try #require(try await records.record(id))
        #expect(record.owner == nil && !record.names(fixture.user))
    }

    @Test("an account that a backup brings back is found and erased again, and keeps its first receipt")
    func resurrected() async throws {
        let fixture = try await DeletionFixture()
        let backup = fixture.memory.copy { fixture.clock.now }
        try await fixture.schedule()
        try await fixture.eraseCompletely()
        let receipt = try await fixture.receipt()
        try await Self.restore(backup, into: fixture.memory)
        #expect(try await fixture.service.owner(.apple, DeletionFixture.subject) == fixture.user)
        let findings = Mutex([RepairFinding.Kind]())
        _ = try await Repair(fixture.accounts, isDryRun: true) { found in findings.withLock { $0.append(found.kind) } }
            .run()
        #expect(findings.withLock { $0 }.contains(.accountResurrected))
        try await fixture.services.deviceCleanup.cleanUpDevices()
        let error = await ServiceError.caught {
            _ = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        }
        guard case .noAccountFound? = error else {
            Issue.record("signed in: \(String(describing: error))")
            return
        }
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        #expect(try await fixture.receipt() as NSDictionary == receipt as NSDictionary)
    }

    @Test("a copy of the ledger finds an account that a recovery from an older snapshot brought back")
    func ledgerCopy() async throws {
        let fixture = try await DeletionFixture()
        let backup = fixture.memory.copy { fixture.clock.now }
        let key = ObjectKey(known: StorageLayout.erasureKey)
        try await fixture.schedule()
        try await fixture.eraseCompletely()
        let lines = Mutex([Data]())
        #expect(
            try await ErasureLedgerCopy(fixture.memory, fixture.accounts.keyRing).write { line in
                lines.withLock { $0.append(line) }
            } == 1)
        let copy = lines.withLock { $0 }
        #expect(try await ErasureLedgerCopy(backup, fixture.accounts.keyRing).read(copy).entries == 1)
        #expect(
            try await ErasureLedgerCopy(backup, fixture.accounts.keyRing).read(copy).entries == 0,
            "reading it again adds nothing")
        var options = TestService.Options()
        options.seed = 2
        let recovered = try await TestService.make(options, store: backup, clock: fixture.clock)
        _ = try await Repair(recovered.components.accounts, isDryRun: false) { _ in }.run()
        #expect(try await recovered.components.accounts.account(fixture.user)?.value.state == .deleting)
        let other = MemoryObjectStore { fixture.clock.now }
        let foreign = try await TestService.make(store: other, clock: fixture.clock)
        #expect(try await foreign.components.accounts.erasureKey.jsonWebKeySet() == #"{"keys":[]}"#)
        #expect(try await other.get(key) == nil, "reading the keys creates none")
        try await foreign.components.accounts.erasureKey.open()
        #expect(
            try await ErasureLedgerCopy(other, fixture.accounts.keyRing).read(copy).entries == 1,
            "a key without entries is replaced")
        let used = MemoryObjectStore { fixture.clock.now }
        let user = try await TestService.make(store: used, clock: fixture.clock)
        try await user.components.accounts.erasures.begin(UserID(uuid: UUID()), at: fixture.clock.now)
        await #expect(throws: ErasureLedgerCopy.Failure.otherKey) {
            try await ErasureLedgerCopy(used, fixture.accounts.keyRing).read(copy)
        }
        let broken = Data(#"{"body":"e30=","key":"\#(StorageLayout.erasureKey)"}"#.utf8)
        let cases: [([Data], ErasureLedgerCopy.Failure)] = [
            ([broken, copy[1], copy[2]], .malformed(line: 1)), ([copy[1], copy[1], copy[2]], .malformed(line: 1)),
            ([copy[0], Data("{}".utf8), copy[2]], .malformed(line: 2)), ([], .notAuthentic), ([copy[0]], .notAuthentic),
            ([copy[0], copy[2]], .notAuthentic), ([copy[0], copy[1]], .notAuthentic),
            ([copy[0], copy[1], copy[1], copy[2]], .notAuthentic),
        ]
        for (lines, failure) in cases {
            let empty = MemoryObjectStore { fixture.clock.now }
            await #expect(throws: failure, "\(lines.count) \(failure)") {
                try await ErasureLedgerCopy(empty, fixture.accounts.keyRing).read(lines)
            }
            #expect(try await empty.list(prefix: "", after: nil, limit: 1).objects.isEmpty, "nothing was written")
        }
        options.hasNewMasterKey = true
        options.hasRetiredMasterKey = true
        let foreignKeys = try await TestService.make(
            options, store: MemoryObjectStore { fixture.clock.now }, clock: fixture.clock)
        await #expect(throws: ErasureLedgerCopy.Failure.keyNotOpened) {
            try await ErasureLedgerCopy(
                MemoryObjectStore { fixture.clock.now }, foreignKeys.components.keyRing
            ).read(copy)
        }
    }

    /// Writes the accounts and identities of an old copy back, as a restored database does.
    private static func restore(_ backup: MemoryObjectStore, into store: MemoryObjectStore) async throws {
        for prefix in [StorageLayout.accounts, StorageLayout.identities] {
            for object in try await backup.list(prefix: prefix, after: nil, limit: 1000).objects {
                let bytes = try #require(try await backup.get(object.key, limit: 1 << 20)).bytes
                _ = try await store.put(object.key, bytes, if: .always)
            }
        }
    }
}
