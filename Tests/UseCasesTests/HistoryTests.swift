import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

/// What an owner finds in the history after an unauthorized access to the account.
@Suite struct HistoryTests {
    private func history(
        _ service: TestService, _ person: SignedIn, before: Int? = nil, limit: Int = 50
    ) async throws -> AuditPage {
        try await service.services.account.history(
            person.user.serviceUserID, before: before, limit: limit, caller: try await service.caller(person.session)
        )
    }

    private func account(_ service: TestService, _ person: SignedIn) async throws -> AccountDocument {
        try #require(try await service.components.accounts.account(person.user.serviceUserID)).value
    }

    @Test("a sign-in is visible immediately and precedes the changes made in its session")
    func signIn() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob", device: 1)
        let laptop = try await service.signIn(.apple, "bob", device: 2)
        let first = try #require(try await history(service, laptop).entries.first)
        #expect(first.act == .signedIn && first.sequence == nil && first.provider == .apple)
        #expect(first.deviceID == TestService.device(2).id && first.deviceName == "Device 2")
        _ = try await service.link(.google, "bob", in: laptop.session)
        let entries = try await history(service, laptop).entries
        #expect(entries.map(\.act) == [.providerLinked, .signedIn, .accountCreated])
        #expect(entries.map(\.sequence) == [3, 2, 1])
    }

    @Test("a pending event is listed by its time among the logged events")
    func timeOrder() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        service.clock.advance(by: 60)
        _ = try await service.signIn(.apple, "bob", device: 2)
        service.clock.advance(by: 60)
        _ = try await service.link(.google, "bob", in: bob.session)
        let noted = try await history(service, bob).entries
        #expect(noted.map(\.act) == [.providerLinked, .signedIn, .accountCreated])
        #expect(noted.map(\.sequence) == [2, nil, 1])
        try await service.services.deviceCleanup.cleanUpDevices()
        let logged = try await history(service, bob).entries
        #expect(logged.map(\.act) == [.providerLinked, .signedIn, .accountCreated])
        #expect(logged.map(\.sequence) == [2, 3, 1])
    }

    /// Links an identity on eight devices, so that eight device records have events in the log and all marks are in use.
    private func useAllMarks(_ service: TestService) async throws -> SignedIn {
        let bob = try await service.signUp(.apple, "bob", device: 1)
        for number in 2...9 {
            let session = try await service.signIn(.apple, "bob", device: number).session
            _ = try await service.link(.google, "google-\(number)", in: session)
        }
        #expect(try await account(service, bob).audit.folded.count == 8)
        return bob
    }

    @Test("sign-ins continue on a full device record while eight others have flush marks")
    func allMarksInUse() async throws {
        let service = try await TestService.make()
        let bob = try await useAllMarks(service)
        for _ in 0..<40 { _ = try await service.signIn(.apple, "bob", device: 1) }
        #expect(try await account(service, bob).audit.folded.count <= 8)
        try await StoreRules(service: service).check()
        try await service.services.deviceCleanup.cleanUpDevices()
        try await StoreRules(service: service).checkReconciled()
    }

    @Test("the daily job flushes more devices than there are marks")
    func jobWithAllMarksInUse() async throws {
        let service = try await TestService.make()
        _ = try await useAllMarks(service)
        for number in 10...30 { _ = try await service.signIn(.apple, "bob", device: number) }
        try await service.services.deviceCleanup.cleanUpDevices()
        try await StoreRules(service: service).checkReconciled()
    }

    @Test("the daily job adds pending device events to the audit log")
    func job() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.signIn(.apple, "bob", device: 2)
        #expect(try await account(service, bob).audit.sequence == 1)
        try await service.services.deviceCleanup.cleanUpDevices()
        #expect(try await account(service, bob).audit.sequence == 2)
        _ = service.store.drainRequests()
        try await service.services.deviceCleanup.cleanUpDevices()
        #expect(service.store.drainRequests().allSatisfy { $0.kind == .read || $0.kind == .list })
    }

    @Test("a removal lists the device that removed it; a returning device restarts its count without losses")
    func removal() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        for _ in 0..<3 {
            _ = try await service.signIn(.apple, "bob", device: 2)
            try await service.services.devices.removeDevice(
                TestService.device(2).id, caller: try await service.caller(bob.session)
            )
            let removal = try #require(try await history(service, bob).entries.first { $0.act == .deviceRemoved })
            #expect(removal.deviceID == TestService.device(1).id && removal.targetDeviceID == TestService.device(2).id)
            try await service.services.deviceCleanup.cleanUpDevices()
            let device = ObjectKey(known: StorageLayout.device(bob.user.serviceUserID, TestService.device(2).id))
            #expect(try await service.store.get(device) == nil)
        }
        let events = try await service.auditEvents(of: bob.user.serviceUserID)
        #expect(events.count { $0 == .signedIn } == 3 && events.count { $0 == .deviceRemoved } == 3)
    }

    @Test("the removal of an expired device is attributed to the service")
    func forgotten() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob", device: 1)
        service.clock.advance(by: 121 * 86_400)
        let bob = try await service.signIn(.apple, "bob", device: 2)
        try await service.services.deviceCleanup.cleanUpDevices()
        let entries = try await history(service, bob).entries
        let forgotten = try #require(entries.first { $0.act == .deviceForgotten })
        #expect(forgotten.actor == .service && forgotten.targetDeviceID == TestService.device(1).id)
        #expect(forgotten.deviceID == nil)
    }

    @Test("after many sign-ins on one device its record stays small and all sign-ins are retained")
    func manySignIns() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 9)
        for _ in 0..<60 { _ = try await service.signIn(.apple, "bob") }
        #expect(try await service.auditEvents(of: bob.user.serviceUserID).count { $0 == .signedIn } == 60)
        let key = ObjectKey(known: StorageLayout.accountDocument(bob.user.serviceUserID))
        #expect(try #require(try await service.store.get(key)).bytes.readableBytes < 12 << 10)
    }

    @Test("account writes from more devices than are cached neither lose nor duplicate events")
    func manyDevices() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 99)
        for number in 1...20 {
            let session = try await service.signIn(.apple, "bob", device: number).session
            try await service.services.sessions.signOutEverywhere(try await service.caller(session))
        }
        let events = try await service.auditEvents(of: bob.user.serviceUserID)
        #expect(events.count { $0 == .signedIn } == 20 && events.count { $0 == .signedOutEverywhere } == 20)
        try await StoreRules(service: service).checkReconciled()
    }

    @Test("pages are newest first and end; another account's history returns not found, and page sizes are limited")
    func pages() async throws {
        let service = try await TestService.make()
        var bob = try await service.signUp(.apple, "bob")
        for _ in 0..<5 {
            try await service.services.sessions.signOutEverywhere(try await service.caller(bob.session))
            bob = try await service.signIn(.apple, "bob")
        }
        try await service.services.deviceCleanup.cleanUpDevices()
        var sequences: [Int?] = []
        var before: Int?
        repeat {
            let page = try await history(service, bob, before: before, limit: 4)
            #expect(page.entries.count <= 4)
            sequences += page.entries.map(\.sequence)
            before = page.next
        } while before != nil
        #expect(sequences == (1...11).reversed().map(Optional.some))
        for (before, limit) in [(0, 10), (Int.min, 10), (nil, 0), (nil, 201)] as [(Int?, Int)] {
            let rule = before == nil ? "limit must be 1 to 200." : "before must be at least 1."
            await #expect(throws: ServiceError.invalidRequest(rule)) {
                try await history(service, bob, before: before, limit: limit)
            }
        }
        let eve = try await service.signUp(.apple, "eve", device: 2)
        let caller = try await service.caller(eve.session)
        await #expect(throws: ServiceError.notFound) {
            try await service.services.account.history(bob.user.serviceUserID, before: nil, limit: 10, caller: caller)
        }
    }

    @Test("an entry whose object was not written is written by the next account change")
    func unwrittenEntry() async throws {
        let service = try await TestService.make()
        let bob = try await service.bobWithTwo()
        let key = ObjectKey(known: StorageLayout.auditEntry(bob.user.serviceUserID, sequence: 2))
        let written = try #require(try await service.store.get(key)).bytes
        // The process ended between the writes of the account and the entry.
        try await service.store.delete(key, if: .always)
        try await StoreRules(service: service).check()
        try await service.services.sessions.signOutEverywhere(try await service.caller(bob.session))
        let found = try await service.store.get(key)?.bytes
        #expect(found == written)
        try await StoreRules(service: service).check()
    }

    @Test("an audit log whose end cannot be authenticated is marked before it continues")
    func unproven() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let key = ObjectKey(known: StorageLayout.accountDocument(bob.user.serviceUserID))
        let stored = try #require(try await service.store.get(key))
        let forged = String(buffer: stored.bytes).replacing("\"keyID\":\"test\"", with: "\"keyID\":\"gone\"")
        _ = try await service.store.put(key, ByteBuffer(string: forged), if: .always)
        #expect(try await !service.components.accounts.hasAuthenticAuditHead(account(service, bob)))
        try await service.services.sessions.signOutEverywhere(try await service.caller(bob.session))
        let events = try await service.auditEvents(of: bob.user.serviceUserID)
        #expect(events == [.accountCreated, .logUnverified, .signedOutEverywhere])
    }

    @Test("a device whose record is damaged can be removed, and the removal is recorded")
    func damagedRecord() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.signIn(.apple, "bob", device: 2)
        let key = ObjectKey(known: StorageLayout.device(bob.user.serviceUserID, TestService.device(2).id))
        _ = try await service.store.put(key, ByteBuffer(string: "{"), if: .always)
        await #expect(throws: ServiceError.internal("corrupted: \(key)")) {
            try await service.signIn(.apple, "bob", device: 2)
        }
        try await service.services.devices.removeDevice(
            TestService.device(2).id, caller: try await service.caller(bob.session)
        )
        #expect(try await history(service, bob).entries.first?.act == .deviceRemoved)
        _ = try await service.signIn(.apple, "bob", device: 2)
        try await StoreRules(service: service).checkReconciled()
    }
}
