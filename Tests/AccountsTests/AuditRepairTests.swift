import AccountMaintenance
import Accounts
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import UseCases

/// Repair verifies the audit logs; each way to tamper with one has its own finding.
@Suite struct AuditRepairTests {
    /// Bob, whose audit log has four entries older than the grace period.
    private func makeAgedBob() async throws -> (TestService, UserID) {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "g", in: bob.session)
        try await service.unlink(.google, in: bob.session)
        try await service.services.sessions.signOutEverywhere(try await service.caller(bob.session))
        service.clock.advance(by: 3601)
        return (service, bob.user.serviceUserID)
    }

    private func key(_ user: UserID, _ sequence: Int) -> ObjectKey {
        ObjectKey(known: StorageLayout.auditEntry(user, sequence: sequence))
    }

    private func text(_ service: TestService, _ key: ObjectKey) async throws -> String {
        String(buffer: try #require(try await service.store.get(key)).bytes)
    }

    private func write(_ service: TestService, _ key: ObjectKey, _ text: String) async throws {
        _ = try await service.store.put(key, ByteBuffer(string: text), if: .always)
    }

    private func findings(_ service: TestService, isDryRun: Bool = true) async throws -> [RepairFinding] {
        let found = Mutex<[RepairFinding]>([])
        _ = try await Repair(service.components.accounts, isDryRun: isDryRun) { finding in
            found.withLock { $0.append(finding) }
        }.run()
        return found.withLock { $0 }
    }

    private func expect(
        _ kinds: [RepairFinding.Kind], at object: ObjectKey? = nil, in service: TestService
    ) async throws {
        // Repair settles none of these findings.
        let found = try await findings(service, isDryRun: false)
        #expect(found.map(\.kind) == kinds && !found.contains { $0.isSettled })
        if let object { #expect(found.first?.object == object.description) }
    }

    @Test("entries that only the account document holds are written")
    func missing() async throws {
        let (service, user) = try await makeAgedBob()
        try await service.store.delete(key(user, 4), if: .always)
        #expect(try await findings(service).map(\.kind) == [.auditEntryMissing])
        #expect(try await findings(service, isDryRun: false).allSatisfy { $0.isSettled })
        #expect(try await findings(service) == [])
        #expect(try await service.store.get(key(user, 4)) != nil)
    }

    @Test("a deleted entry is reported as lost", arguments: 1...3)
    func lost(sequence: Int) async throws {
        let (service, user) = try await makeAgedBob()
        try await service.store.delete(key(user, sequence), if: .always)
        try await expect([.auditEntryLost], at: key(user, sequence), in: service)
    }

    @Test("a changed entry is reported, even if only a member was added", arguments: 1...4)
    func changed(sequence: Int) async throws {
        let (service, user) = try await makeAgedBob()
        let key = key(user, sequence)
        let entry = try await text(service, key)
        try await write(service, key, entry.replacing(#""actor":"user""#, with: #""actor":"service""#))
        try await expect([.auditEntryChanged], at: key, in: service)
        try await write(service, key, entry.replacing(#""actor":"user""#, with: #""actor":"user","x":1"#))
        try await expect([.auditEntryChanged], at: key, in: service)
        try await write(service, key, "nothing")
        try await expect([.auditEntryChanged], at: key, in: service)
    }

    @Test("an object after the end of the log, or one that is not an entry, is reported")
    func extra() async throws {
        let (service, user) = try await makeAgedBob()
        try await write(service, key(user, 5), try await text(service, key(user, 4)))
        try await expect([.auditEntryExtra], at: key(user, 5), in: service)
        try await service.store.delete(key(user, 5), if: .always)
        let stray = ObjectKey(known: "\(StorageLayout.audit(user))000000003")
        try await write(service, stray, "")
        try await expect([.auditEntryExtra], at: stray, in: service)
    }

    @Test("entries swapped between two accounts are reported in both")
    func swapped() async throws {
        let (service, bob) = try await makeAgedBob()
        let eve = try await service.signUp(.apple, "eve", device: 9)
        _ = try await service.link(.google, "e", in: eve.session)
        service.clock.advance(by: 3601)
        let user = eve.user.serviceUserID
        let (ours, theirs) = (try await text(service, key(bob, 1)), try await text(service, key(user, 1)))
        try await write(service, key(bob, 1), theirs)
        try await write(service, key(user, 1), ours)
        try await expect([.auditEntryChanged, .auditEntryChanged], in: service)
    }

    @Test("a truncated log is reported, even if the account document was changed to match")
    func cutTail() async throws {
        let (service, user) = try await makeAgedBob()
        let document = ObjectKey(known: StorageLayout.accountDocument(user))
        let whole = try await text(service, document)
        // The last entries are deleted, also from the account document.
        let third = try await text(service, key(user, 3))
        for sequence in 3...4 { try await service.store.delete(key(user, sequence), if: .always) }
        let emptied = whole.replacing(/"entries":\[.*?\]/, with: #""entries":[]"#)
        try await write(service, document, emptied)
        try await expect([.auditEntryLost, .auditEntryLost], at: key(user, 4), in: service)
        // The account document names the third entry as the last: the hash matches, the seal does not.
        try await write(service, key(user, 3), third)
        let hash = AuditEntry.hash(of: Data(third.utf8))
        let cut = emptied.replacing(/"sequence":4/, with: #""sequence":3"#)
            .replacing(/"hash":"[0-9a-f]*"/, with: #""hash":"\#(hash)""#)
        try await write(service, document, cut)
        try await expect([.auditHeadForged], at: document, in: service)
    }

    @Test("a log rewritten from its beginning has an invalid seal")
    func rewritten() async throws {
        let (service, user) = try await makeAgedBob()
        let document = ObjectKey(known: StorageLayout.accountDocument(user))
        var previous = String(repeating: "0", count: 64)
        var last = ""
        for sequence in 1...4 {
            last = try await text(service, key(user, sequence)).replacing("\"apple\"", with: "\"google\"")
                .replacing(/"previousHash":"[0-9a-f]*"/, with: "\"previousHash\":\"\(previous)\"")
            try await write(service, key(user, sequence), last)
            previous = AuditEntry.hash(of: Data(last.utf8))
        }
        let forged = try await text(service, document).replacing(/"entries":\[.*?\]/, with: "\"entries\":[\(last)]")
            .replacing(/"hash":"[0-9a-f]*"/, with: "\"hash\":\"\(previous)\"")
        try await write(service, document, forged)
        try await expect([.auditHeadForged], at: document, in: service)
        // Appending to such a log leaves a permanent mark.
        let session = try await service.signIn(.apple, "bob").session
        try await service.services.sessions.signOutEverywhere(try await service.caller(session))
        service.clock.advance(by: 3601)
        try await expect([.auditUnproven], at: key(user, 5), in: service)
    }

    @Test("a log sealed under a key that is not configured is reported as unverifiable")
    func unknownKey() async throws {
        let (service, user) = try await makeAgedBob()
        let document = ObjectKey(known: StorageLayout.accountDocument(user))
        let text = try await text(service, document)
        try await write(service, document, text.replacing(#""keyID":"test""#, with: #""keyID":"gone""#))
        try await expect([.auditKeyUnknown], at: document, in: service)
    }

    @Test("a log sealed under an earlier master key is verified and continues under the new one")
    func earlierKey() async throws {
        let (service, user) = try await makeAgedBob()
        var options = TestService.Options()
        options.seed = 9
        options.hasNewMasterKey = true
        let moved = try await TestService.make(options, store: service.store, clock: service.clock)
        #expect(try await findings(moved) == [])
        let session = try await moved.signIn(.apple, "bob").session
        try await moved.services.sessions.signOutEverywhere(try await moved.caller(session))
        let account = try #require(try await moved.components.accounts.account(user)).value
        #expect(account.audit.seal.keyID == "test2" && moved.components.accounts.hasAuthenticAuditHead(account))
    }
}
