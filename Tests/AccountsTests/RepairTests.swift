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

/// Repair verifies a store and settles only what can be settled.
@Suite struct RepairTests {
    private let unknownUserID = "00000000-0000-4000-8000-000000000000"

    private func repair(_ service: TestService, isDryRun: Bool = false) async throws -> [RepairFinding] {
        let found = Mutex<[RepairFinding]>([])
        let repair = Repair(service.components.accounts, isDryRun: isDryRun) { finding in
            found.withLock { $0.append(finding) }
        }
        let summary = try await repair.run()
        let findings = found.withLock { $0 }
        #expect(summary.findings == findings.count)
        #expect(summary.settled == findings.count { $0.isSettled })
        return findings
    }

    /// Checks the findings of a dry run, then those of a repair, after which nothing is left to settle.
    private func expectReconciled(_ service: TestService, _ kinds: [RepairFinding.Kind]) async throws {
        let before = try await service.contents()
        // Items are processed concurrently, so findings are unordered.
        let names = kinds.map(\.rawValue).sorted()
        let dry = try await repair(service, isDryRun: true)
        #expect(dry.map(\.kind.rawValue).sorted() == names && !dry.contains { $0.isSettled })
        #expect(try await service.contents() == before)
        let done = try await repair(service)
        #expect(done.map(\.kind.rawValue).sorted() == names && done.allSatisfy { $0.isSettled })
        #expect(try await repair(service, isDryRun: true) == [])
    }

    /// Bob with Apple and Google, linked longer ago than the grace period.
    private func makeAgedBob(_ options: TestService.Options = .init()) async throws -> (TestService, SignedIn) {
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        _ = try await service.link(.google, "g", in: bob.session, email: "bob@gmail.com")
        service.clock.advance(by: 3601)
        return (service, bob)
    }

    private func change(
        _ service: TestService, _ user: UserID, _ mutate: (inout AccountDocument) -> Void
    ) async throws {
        let documents = Documents<AccountDocument>(
            store: service.store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in })
        )
        let key = ObjectKey(known: StorageLayout.accountDocument(user))
        let stored = try #require(try await documents.load(key))
        var next = stored.value
        mutate(&next)
        _ = try await documents.replace(key, stored, with: next)
    }

    @Test("an intact store has no findings")
    func wholeStore() async throws {
        let (service, bob) = try await makeAgedBob()
        try await service.unlink(
            .google,
            in: try await service.reauthenticate(.apple, "bob", in: try await service.signIn(.apple, "bob").session))
        _ = try await service.signUp(.google, "eve", device: 9)
        #expect(try await repair(service) == [])
        #expect(try await service.owner(.apple, "bob") == bob.user.serviceUserID)
    }

    @Test("lost bindings are restored from the accounts", arguments: KeyEncoding.Mode.allCases)
    func lostIdentities(mode: KeyEncoding.Mode) async throws {
        var options = TestService.Options()
        options.subjects = mode
        let (service, bob) = try await makeAgedBob(options)
        for object in try await service.store.list(prefix: "identities/", after: nil, limit: 100).objects {
            try await service.store.delete(object.key, if: .always)
        }
        try await expectReconciled(service, [.claimMissing, .claimMissing, .hintMissing])
        #expect(try await service.owner(.apple, "bob") == bob.user.serviceUserID)
        #expect(try await service.owner(.google, "g") == bob.user.serviceUserID)
    }

    @Test("a binding that its account does not list is removed, even at the key of a listed one")
    func strangeClaims() async throws {
        let (service, bob) = try await makeAgedBob()
        let user = bob.user.serviceUserID
        try await service.write("identities/apple/other", "\(user)\n\(unknownUserID)\n")
        try await service.write("identities/google/g", "\(user)\n\(unknownUserID)\n")
        try await expectReconciled(service, [.claimNotListed, .claimNotListed, .claimMissing])
        #expect(try await service.owner(.google, "g") == user)
        #expect(try await service.owner(.apple, "other") == nil)
    }

    @Test("a binding without an account, a malformed one and a lost document are reported and kept")
    func lost() async throws {
        let (service, bob) = try await makeAgedBob()
        let user = bob.user.serviceUserID
        try await service.write("identities/apple/x", "\(unknownUserID)\n\(unknownUserID)\n")
        try await service.write("identities/apple/y", "not a claim")
        let eve = try await service.signUp(.google, "eve", device: 9).user.serviceUserID
        try await service.store.delete(ObjectKey(known: StorageLayout.accountDocument(eve)), if: .always)
        let found = try await repair(service)
        #expect(Set(found.map(\.kind)) == [.claimWithoutAccount, .claimUnreadable, .accountLost])
        #expect(!found.contains { $0.isSettled } && found.count == 4)
        #expect(try await service.store.get(ObjectKey(known: "identities/apple/x")) != nil)
        #expect(try await service.owner(.apple, "bob") == user)
    }

    @Test("an account whose document cannot be read keeps its bindings")
    func unreadableDocument() async throws {
        let (service, bob) = try await makeAgedBob()
        try await service.write(StorageLayout.accountDocument(bob.user.serviceUserID), "{")
        #expect(try await repair(service).map(\.kind) == [.accountUnreadable])
        #expect(try await service.store.get(ObjectKey(known: "identities/apple/bob")) != nil)
    }

    @Test("interrupted links and unlinks are completed or withdrawn")
    func halfDone() async throws {
        let (service, bob) = try await makeAgedBob()
        let user = bob.user.serviceUserID
        try await change(service, user) { $0.links[1].state = .pending }
        try await expectReconciled(service, [.linkUnfinished])
        try await change(service, user) { $0.links[1].state = .pending }
        try await service.store.delete(ObjectKey(known: "identities/google/g"), if: .always)
        try await expectReconciled(service, [.linkUnclaimed])
        #expect(try await service.owner(.google, "g") == nil)
        let session = try await service.signIn(.apple, "bob").session
        _ = try await service.link(.google, "g", in: session)
        try await change(service, user) { $0.links[1].state = .removing }
        try await expectReconciled(service, [.unlinkUnfinished])
        #expect(try await service.owner(.google, "g") == nil)
        #expect(try await service.owner(.apple, "bob") == user)
    }

    @Test("a link in progress is not changed")
    func underWay() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "g", in: bob.session)
        try await change(service, bob.user.serviceUserID) { $0.links[1].state = .pending }
        try await service.store.delete(ObjectKey(known: "identities/google/g"), if: .always)
        try await service.store.delete(ObjectKey(known: "identities/apple/bob"), if: .always)
        #expect(try await repair(service) == [])
    }

    @Test("a sign-up without its binding is marked after an hour and removed an hour later")
    func garbage() async throws {
        let (service, bob) = try await makeAgedBob()
        let store = FaultyObjectStore(service.store)
        var options = TestService.Options()
        options.seed = 5
        let dying = try await TestService.make(options, store: store, clock: service.clock)
        store.arm(.stopAfter, at: 1)
        await #expect(throws: ServiceError.unavailable("at this request")) {
            try await dying.signUp(.apple, "eve", device: 9)
        }
        #expect(try await repair(service) == [])
        service.clock.advance(by: 3601)
        try await expectReconciled(service, [.accountAbandoned])
        service.clock.advance(by: 3601)
        try await expectReconciled(service, [.accountRemovable])
        let left = try await service.store.list(prefix: StorageLayout.accounts, after: nil, limit: 100).objects
        #expect(left.allSatisfy { $0.key.description.contains(bob.user.serviceUserID.description) })
        #expect(try await service.signUp(.apple, "eve", device: 9).user.primaryProvider == .apple)
    }

    @Test(
        "an account that was used is never removed, even without any binding",
        arguments: ["device", "photo", "audit", "entry"])
    func usedAccount(use: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let user = bob.user.serviceUserID
        if use == "audit" {
            try await service.services.sessions.signOutEverywhere(try await service.caller(bob.session))
        }
        if use == "photo" { try await service.write(StorageLayout.photo(user, md5: "0"), "x") }
        let isUnwritten = use == "device" || use == "photo"
        if isUnwritten {
            let entry = ObjectKey(known: StorageLayout.auditEntry(user, sequence: 1))
            try await service.store.delete(entry, if: .always)
        }
        if use != "device" {
            // An owner who removed the last device still has the account.
            let device = ObjectKey(known: StorageLayout.device(user, bob.session.deviceID))
            try await service.store.delete(device, if: .always)
        }
        try await service.store.delete(ObjectKey(known: "identities/apple/bob"), if: .always)
        service.clock.advance(by: 3601)
        try await expectReconciled(service, isUnwritten ? [.claimMissing, .auditEntryMissing] : [.claimMissing])
        #expect(try await service.owner(.apple, "bob") == user)
    }

    @Test("a sign-up that completes while repair is stalled is not treated as abandoned")
    func slowRepair() async throws {
        var call = 0
        while try await endsSignUp(before: call) { call += 1 }
        #expect(call > 4)
    }

    private func endsSignUp(before call: Int) async throws -> Bool {
        let service = try await TestService.make()
        let user = try await service.signUp(.apple, "bob").user.serviceUserID
        let claim = ObjectKey(known: "identities/apple/bob")
        let written = try #require(try await service.store.get(claim)).bytes
        try await service.removeAllButTheDocument(of: user)
        try await service.store.delete(claim, if: .always)
        service.clock.advance(by: 1690)
        let store = InterruptedObjectStore(service.store)
        var options = TestService.Options()
        options.seed = 5
        let slow = try await TestService.make(options, store: store, clock: service.clock)
        store.interrupt(before: call) {
            _ = try? await service.store.put(claim, written, if: .absent)
            _ = try? await service.signIn(.apple, "bob", device: 2)
            service.clock.advance(by: 2000)
        }
        _ = try await Repair(slow.components.accounts, isDryRun: false, concurrency: 1) { _ in }.run()
        guard !store.isWaiting else { return false }
        #expect(try await service.owner(.apple, "bob") == user, "request \(call)")
        return true
    }

    @Test("an account that is changed while repair is about to mark it stays in use")
    func changedMeanwhile() async throws {
        var call = 0
        while try await changesAccount(before: call) { call += 1 }
        #expect(call > 4)
    }

    private func changesAccount(before call: Int) async throws -> Bool {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let claim = ObjectKey(known: "identities/apple/bob")
        let written = try #require(try await service.store.get(claim)).bytes
        try await service.removeAllButTheDocument(of: bob.user.serviceUserID)
        try await service.store.delete(claim, if: .always)
        service.clock.advance(by: 3601)
        let store = InterruptedObjectStore(service.store)
        var options = TestService.Options()
        options.seed = 5
        let slow = try await TestService.make(options, store: store, clock: service.clock)
        let linked = Mutex<UserID?>(nil)
        store.interrupt(before: call) {
            // A binding that arrives an hour late, and a user who signs in with it.
            _ = try? await service.store.put(claim, written, if: .absent)
            guard let here = try? await service.signIn(.apple, "bob", device: 2),
                (try? await service.link(.google, "bob", in: here.session)) != nil
            else { return }
            linked.withLock { $0 = here.user.serviceUserID }
        }
        _ = try await Repair(slow.components.accounts, isDryRun: false, concurrency: 1) { _ in }.run()
        guard !store.isWaiting else { return false }
        guard let linked = linked.withLock({ $0 }) else { return true }
        #expect(try await service.owner(.apple, "bob") == linked, "request \(call)")
        #expect(try await service.owner(.google, "bob", device: 3) == linked, "request \(call)")
        return true
    }

    @Test("further damage does not block the rest of the repair")
    func damagedBesides() async throws {
        let (service, bob) = try await makeAgedBob()
        let user = bob.user.serviceUserID
        let eve = try await service.signUp(.apple, "eve", device: 9).user.serviceUserID
        _ = try await service.signUp(.apple, "carol", device: 8)
        service.clock.advance(by: 3601)
        // A link to complete on an audit log that cannot be extended, a binding held by an unreadable account, and
        // objects too large to be valid.
        try await change(service, user) { $0.links[1].state = .pending }
        try await service.write(StorageLayout.auditEntry(user, sequence: 2), "another")
        try await service.write(StorageLayout.accountDocument(eve), String(repeating: "{", count: 2 << 20))
        try await service.write("identities/apple/bob", "\(eve)\n\(unknownUserID)\n")
        try await service.write("identities/apple/large", String(repeating: "x", count: 300))
        try await service.store.delete(ObjectKey(known: "identities/apple/carol"), if: .always)
        let found = try await repair(service)
        #expect(
            Set(found.filter { !$0.isSettled }.map(\.kind))
                == [.linkUnfinished, .auditEntryChanged, .accountUnreadable, .claimTaken, .claimUnreadable]
        )
        #expect(found.filter(\.isSettled).map(\.kind) == [.claimMissing])
    }

    @Test("a hint whose link is gone is removed")
    func hints() async throws {
        let (service, bob) = try await makeAgedBob()
        try await service.write("identities/email/test-00", "\(bob.user.serviceUserID)\n\(unknownUserID)\n")
        try await service.write("identities/email/test-01", "\(unknownUserID)\n\(unknownUserID)\n")
        try await expectReconciled(service, [.hintStale, .hintStale])
    }
}

extension TestService {
    fileprivate func write(_ key: String, _ text: String) async throws {
        _ = try await store.put(ObjectKey(known: key), ByteBuffer(string: text), if: .always)
    }

    /// Reduces an account to what a sign-up has written before its binding.
    fileprivate func removeAllButTheDocument(of user: UserID) async throws {
        for object in try await store.list(prefix: StorageLayout.account(user), after: nil, limit: 100).objects
        where object.key.description != StorageLayout.accountDocument(user) {
            try await store.delete(object.key, if: .always)
        }
    }

    /// Returns every object with its tag.
    fileprivate func contents() async throws -> [String: String] {
        let objects = try await store.list(prefix: "", after: nil, limit: 1000).objects
        return Dictionary(uniqueKeysWithValues: objects.map { ($0.key.description, $0.etag.description) })
    }
}
