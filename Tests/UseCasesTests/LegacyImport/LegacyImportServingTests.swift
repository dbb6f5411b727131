import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// When a server may run beside legacy layouts, and how an import treats concurrent acts.
@Suite struct LegacyImportServingTests {
    @Test("no server starts on bindings of a legacy layout or on accounts without a store manifest")
    func unstamped() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        let before = try await older.objects()
        let first = "identities/apple/eve"
        await #expect(throws: StoreManifestError.legacyLayout(first)) { try await older.serve() }
        #expect(try await older.objects() == before)
        let lost = try await TestService.make()
        let bob = try await lost.signUp(.apple, "bob")
        try await lost.store.delete(ObjectKey(known: StorageLayout.storeManifest), if: .always)
        let account = StorageLayout.accountDocument(bob.user.serviceUserID)
        await #expect(throws: StoreManifestError.manifestMissing(account)) {
            try await TestService.make(store: lost.store, clock: lost.clock)
        }
    }

    @Test("a store that contains only photos counts as new")
    func photosAlone() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        _ = try await store.put(
            ObjectKey(known: "photos/\(LegacyStore.bob)/x.dat"), ByteBuffer(string: "x"), if: .always)
        _ = try await TestService.make(store: store, clock: clock)
    }

    @Test("no server starts during an import, and a running server stops resolving identities")
    func unfinished() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        let faulty = FaultyObjectStore(older.store)
        faulty.arm(.stopBefore, at: 20)
        await #expect(throws: LegacyImportError.account(.store(.unavailable("stopped")))) {
            try await older.legacyImport(faulty).apply()
        }
        await #expect(throws: StoreManifestError.legacyImportInProgress(.moving)) { try await older.serve() }
        await #expect(throws: LegacyImportError.unfinished) { try await older.legacyImport().confirm() }
        _ = try await older.legacyImport().apply()
        let running = try await older.serve()
        try await running.expect(.apple, "eve", finds: UserID(LegacyStore.eve))
        let again = FaultyObjectStore(older.store)
        again.arm(.stopBefore, at: 8)
        await #expect(throws: LegacyImportError.account(.store(.unavailable("stopped")))) {
            try await older.legacyImport(again).apply()
        }
        older.clock.advance(by: 60)
        await #expect(throws: AccountError.bindingKeysUnavailable(.legacyImportInProgress(.moving))) {
            try await running.user(.apple, "eve")
        }
    }

    @Test("undo fails if it would lose a user's act, and the store stays unchanged")
    func inUse() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        _ = try await older.legacyImport().apply()
        let service = try await older.serve()
        let eve = try await service.signIn(.apple, "eve")
        let before = try await older.keys("")
        await #expect(throws: LegacyImportError.inUse(eve.user.serviceUserID)) {
            try await older.legacyImport().undo()
        }
        #expect(try await older.keys("") == before)
        let phase = try await older.legacyImport().status()?.phase
        #expect(phase == .moved)
        let again = try await service.signIn(.apple, "eve")
        #expect(again.user == eve.user, "the rejected undo blocks no sign-in")
        _ = try await older.serve(seed: 10).signIn(.apple, "eve")
        _ = try await older.legacyImport().confirm()
    }

    @Test("a sign-in while undo waits is detected, and nothing is undone")
    func inUseMeanwhile() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        _ = try await older.legacyImport().apply()
        let service = try await older.serve()
        let interrupted = InterruptedObjectStore(older.store)
        let signedIn = Mutex(false)
        let act: @Sendable () async -> Void = {
            let isIn = (try? await service.signIn(.apple, "eve")) != nil
            signedIn.withLock { $0 = isIn }
        }
        // After the first check, right before the store manifest is replaced.
        interrupted.interrupt(before: 7, by: act)
        let user = try #require(UserID(LegacyStore.eve))
        await #expect(throws: LegacyImportError.inUse(user)) { try await older.legacyImport(interrupted).undo() }
        #expect(signedIn.withLock { $0 })
        let phase = try await older.legacyImport().status()?.phase
        #expect(phase == .moved)
        try await older.serve(seed: 4).expect(.apple, "eve", finds: user)
    }

    @Test("an account created since the import prevents undo too")
    func signUp() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        _ = try await older.legacyImport().apply()
        let service = try await older.serve()
        let new = try await service.signUp(.google, "new")
        await #expect(throws: LegacyImportError.inUse(new.user.serviceUserID)) {
            try await older.legacyImport().undo()
        }
        try await service.expect(.google, "new", finds: new.user.serviceUserID)
    }

    @Test("objects that users removed since the import are reported, and their legacy objects stay")
    func takenAway() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        _ = try await older.legacyImport().apply()
        let service = try await older.serve()
        let bob = try await service.signIn(.apple, LegacyStore.appleID)
        try await service.unlink(.google, in: bob.session)
        let photo = ObjectKey(known: StorageLayout.photo(bob.user.serviceUserID, md5: LegacyStore.md5(1)))
        try await older.store.delete(photo, if: .always)
        let summary = try await older.legacyImport().confirm()
        #expect(summary.findings == 2)
        #expect(try await older.keys("identities/google:") == ["identities/google:\(LegacyStore.googleID)"])
        #expect(
            try await older.keys("users/\(LegacyStore.bob)/photos/") == ["users/\(LegacyStore.bob)/photos/IMG_1.jpg"])
        try await service.expect(.google, LegacyStore.googleID, finds: nil)
    }

    @Test("a damaged imported object or a changed source prevents any removal")
    func damaged() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        _ = try await older.legacyImport().apply()
        let before = try await older.keys("")
        let user = try #require(UserID(LegacyStore.bob))
        let photo = ObjectKey(known: StorageLayout.photo(user, md5: LegacyStore.md5(1)))
        _ = try await older.store.put(photo, LegacyStore.photo(7), if: .always)
        let error = await #expect(throws: LegacyImportError.self) { try await older.legacyImport().confirm() }
        guard case .incomplete(let summary)? = error else { return #expect(error == nil) }
        #expect(summary.unproven == 1)
        #expect(try await older.keys("") == before)
        _ = try await older.store.put(photo, LegacyStore.photo(1), if: .always)
        try await older.put("users/\(LegacyStore.bob)/photos/IMG_1.jpg", LegacyStore.photo(8))
        let done = try await older.legacyImport().confirm()
        #expect(done.findings == 1)
        #expect(try await older.keys("users/\(LegacyStore.bob)/photos/").count == 1)
    }

    @Test("a store in use imports legacy identities without changing existing accounts")
    func used() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        let claims = try await older.keys(StorageLayout.identities)
        var kept: [String: ByteBuffer] = [:]
        for key in claims {
            let known = ObjectKey(known: key)
            kept[key] = try await older.store.get(known)?.bytes
            try await older.store.delete(known, if: .always)
        }
        let service = try await older.serve()
        let new = try await service.signUp(.google, LegacyStore.googleID)
        for (key, bytes) in kept { try await older.put(key, bytes) }
        let summary = try await older.legacyImport().apply()
        #expect(summary.findings == 1 && summary.claimsMoved == 3)
        try await older.serve(seed: 4).expect(.google, LegacyStore.googleID, finds: new.user.serviceUserID)
        _ = try await older.legacyImport().undo()
        try await older.serve(seed: 5).expect(.google, LegacyStore.googleID, finds: new.user.serviceUserID)
        #expect(try await older.keys(StorageLayout.accounts).allSatisfy { $0.contains("\(new.user.serviceUserID)") })
    }
}
