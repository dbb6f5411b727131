import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// A legacy import, step by step.
@Suite struct LegacyImportTests {
    @Test("a dry run reports each object that cannot be imported, with its key and reason, and changes nothing")
    func dryRun() async throws {
        let older = try await LegacyStore.make()
        let before = try await older.objects()
        let found = Mutex<[String: ImportFinding.Kind]>([:])
        let summary = try await older.legacyImport { finding in found.withLock { $0[finding.object] = finding.kind } }
            .plan()
        let told = found.withLock { $0 }
        #expect(told == LegacyStore.unusualObjects)
        #expect(summary.claims == 8 && summary.claimsMoved == 0)
        #expect(summary.findings == LegacyStore.unusualObjects.count)
        #expect(try await older.objects() == before)
    }

    @Test("the progress says what is imported, in place, failed and remaining")
    func progress() async throws {
        let older = try await LegacyStore.make()
        let progress = ImportProgress()
        let remaining = Mutex<[Int]>([])
        let summary = try await older.legacyImport(progress: progress) { _ in
            remaining.withLock { $0.append(progress.counts.remaining) }
        }.apply()
        let counts = progress.counts
        #expect(counts.imported == summary.claimsMoved + summary.filesMoved && counts.imported > 4)
        #expect(counts.inPlace == summary.filesInPlace && counts.failed == summary.findings)
        #expect(counts.remaining == 0)
        let seen = remaining.withLock { $0 }
        #expect(seen.count >= summary.findings && seen == seen.sorted(by: >))
        #expect(try #require(seen.first) > summary.findings && (seen.last ?? 0) >= 0)
    }

    @Test("all bindings of one id become one account, whose oldest is primary, and open it")
    func people() async throws {
        let older = try await LegacyStore.make()
        let summary = try await older.legacyImport().apply()
        #expect(summary.claimsMoved == 4)
        let service = try await older.serve()
        let bob = try #require(UserID(LegacyStore.bob))
        try await service.expect(.apple, LegacyStore.appleID, finds: bob)
        try await service.expect(.google, LegacyStore.googleID, finds: bob)
        try await service.expect(try #require(ProviderName("facebook")), "77", finds: bob)
        try await service.expect(.apple, "eve", finds: UserID(LegacyStore.eve))
        try await service.expect(.apple, "x", finds: nil)
        let account = try #require(try await service.components.accounts.account(bob)).value
        #expect(account.links.count == 3)
        #expect(account.links.first { $0.id == account.primaryLinkID }?.provider == .apple)
        #expect(account.tier == .free, "a tier from a file that its user could write is ignored")
        #expect(service.components.accounts.hasAuthenticAuditHead(account))
        let signedIn = try await service.signIn(.google, LegacyStore.googleID)
        #expect(signedIn.user.serviceUserID == bob)
        let history = try await service.components.accounts.history(of: account, before: nil, limit: 10)
        #expect(history.map(\.actor) == [.service, .service, .service])
        #expect(history.last?.act == .accountCreated)
    }

    @Test("photos, thumbnails and metadata have their current keys, and catalogs list the photos")
    func files() async throws {
        let older = try await LegacyStore.make()
        let settled = Mutex<[ImportFinding]>([])
        _ = try await older.legacyImport { finding in
            if finding.isSettled { settled.withLock { $0.append(finding) } }
        }.apply()
        let bob = LegacyStore.bob
        #expect(
            try await older.keys("photos/\(bob)/")
                == [UInt64](1...3).map { "photos/\(bob)/\(LegacyStore.md5($0)).dat" }.sorted())
        #expect(
            try await older.keys("thumbnails/\(bob)/")
                == [UInt64](2...3).map { "thumbnails/\(bob)/\(LegacyStore.md5($0)).jpg" }.sorted())
        #expect(try await older.keys("users/\(bob)/metadata/").count == 2)
        let photos = try await older.catalog(bob)
        #expect(photos.map(\.path.description) == ["2020/\(LegacyStore.md5(2)).jpg", "Beach.jpg", "IMG_1.jpg"])
        #expect(photos[1].taken?.description == "2021-08-01T10:00:00Z")
        #expect(photos.allSatisfy { $0.type.description == "image/jpeg" && $0.size == 506 })
        // Eve's misnamed photo is stored under its true name, and her catalog of an unknown format was replaced by a
        // new one.
        let eves = Set(try await older.catalog(LegacyStore.eve).map(\.md5.description))
        #expect(eves.isSuperset(of: [LegacyStore.md5(4), LegacyStore.md5(5)]))
        let kinds = settled.withLock { $0 }.map(\.kind)
        #expect(Set(kinds) == [.photoMisnamed, .catalogUnreadable])
        let service = try await older.serve()
        let user = try #require(UserID(bob))
        let profile = try #require(try await service.components.profiles.load(user)).profile
        #expect(profile.displayName == "Bob Smith" && profile.preferences == ["autoBackup": .bool(true)])
    }

    @Test("a catalog of a newer version is reported and left unchanged, and does not block other users' photos")
    func newerCatalog() async throws {
        let older = try await LegacyStore.make()
        let text = ByteBuffer(string: "path,md5,size,modified,taken,type,stars\n")
        let folder = "catalogs/\(LegacyStore.bob)/.photolala"
        try await older.put("\(folder).\(ContentDigest(of: text)).csv", text)
        try await older.put("\(folder).md5", ContentDigest(of: text).description)
        let refused = Mutex<[ImportFinding]>([])
        _ = try await older.legacyImport { finding in
            if finding.kind == .catalogRefused { refused.withLock { $0.append(finding) } }
        }.apply()
        let told = refused.withLock { $0 }
        #expect(told.map(\.object) == ["\(folder).md5"] && told.allSatisfy { !$0.isSettled })
        #expect(try await older.catalog(LegacyStore.eve).count >= 2)
        await #expect(throws: CatalogError.unknownColumns(["stars"])) { try await older.catalog(LegacyStore.bob) }
        let service = try await older.serve()
        try await service.expect(.google, LegacyStore.googleID, finds: UserID(LegacyStore.bob))
    }

    @Test("completed work is not repeated")
    func again() async throws {
        let older = try await LegacyStore.make()
        _ = try await older.legacyImport().apply()
        let before = try await older.objects()
        let recording = RecordingObjectStore(older.store)
        let summary = try await older.legacyImport(recording, seed: 2).apply()
        let written = recording.drainRequests().filter { $0.kind == .write || $0.kind == .delete }
        #expect(Set(written.map(\.key)) == [StorageLayout.storeManifest, StorageLayout.lease("usage")])
        #expect(summary.claimsMoved == 4 && summary.filesMoved == summary.files - 1)
        var after = try await older.objects()
        after[StorageLayout.storeManifest] = before[StorageLayout.storeManifest]
        #expect(after == before)
    }

    @Test("undo restores the legacy store byte for byte")
    func undo() async throws {
        let older = try await LegacyStore.make()
        let before = try await older.objects()
        _ = try await older.legacyImport().apply()
        _ = try await older.legacyImport().undo()
        let after = try await older.objects()
        #expect(after == before)
        await #expect(throws: LegacyImportError.notInProgress) { try await older.legacyImport().undo() }
        _ = try await older.legacyImport(seed: 3).apply()
        _ = try await older.legacyImport().confirm()
    }

    @Test("confirm removes only objects verified at their new key, and repair finds no problems")
    func confirm() async throws {
        let older = try await LegacyStore.make()
        let before = try await older.objects()
        await #expect(throws: LegacyImportError.notInProgress) { try await older.legacyImport().confirm() }
        _ = try await older.legacyImport().apply()
        let summary = try await older.legacyImport().confirm()
        #expect(summary.findings == 0 && summary.removed == 10)
        let after = try await older.objects()
        let gone = Set(before.keys).subtracting(after.keys)
        #expect(gone.count == 10)
        for key in LegacyStore.unusualObjects.keys where !key.hasSuffix("/") {
            #expect(after[key] == before[key], "\(key)")
        }
        #expect(after["backups/identities/appleid/x"] == before["backups/identities/appleid/x"])
        #expect(try await older.keys(StorageLayout.legacyMoves).isEmpty)
        await #expect(throws: LegacyImportError.notInProgress) { try await older.legacyImport().undo() }
        let service = try await older.serve()
        try await service.expect(.apple, LegacyStore.appleID, finds: UserID(LegacyStore.bob))
        let kinds = Mutex<Set<RepairFinding.Kind>>([])
        older.clock.advance(by: 7200)
        _ = try await Repair(service.components.accounts, isDryRun: true) { finding in
            kinds.withLock { _ = $0.insert(finding.kind) }
        }.run()
        let found = kinds.withLock { $0 }
        #expect(found == [.claimUnreadable, .hintUnreadable], "the bindings that were skipped")
        let rest = try await older.legacyImport().plan()
        #expect(rest.files == 2 && rest.claims == 4, "skipped bindings are reported again")
    }

    @Test("bindings of one account that are imported concurrently all open it")
    func together() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        let folders = ["apple/", "appleid/", "google:", "googleid:", "fbid:", "microsoft/"]
        for number in 0..<5 {
            for folder in folders {
                try await older.put("identities/\(folder)n\(number)-\(folder.utf8.count)", LegacyStore.eve)
            }
        }
        let summary = try await older.legacyImport(atOnce: 16).apply()
        #expect(summary.claims == 34 && summary.claimsMoved == 34 && summary.findings == 0)
        let eve = try #require(UserID(LegacyStore.eve))
        let service = try await older.serve()
        let account = try #require(try await service.components.accounts.account(eve)).value
        #expect(account.links.count == 31 && account.audit.sequence == 31)
        for number in 0..<5 { try await service.expect(.google, "n\(number)-7", finds: eve) }
        let done = try await older.legacyImport(atOnce: 16).confirm()
        #expect(done.findings == 0)
    }

    @Test("a store with hashed subjects gets hashed binding keys")
    func hashed() async throws {
        let older = try await LegacyStore.make(isWhole: false)
        var options = TestService.Options()
        options.subjects = .hashed
        let clock = older.clock
        let store = MemoryObjectStore { clock.now }
        _ = try await TestService.make(options, store: store, clock: clock)
        for object in try await older.store.list(prefix: "", after: nil, limit: 1000).objects {
            let bytes = try #require(try await older.store.get(object.key)).bytes
            _ = try await store.put(object.key, bytes, if: .always)
        }
        _ = try await older.legacyImport(store).apply()
        _ = try await older.legacyImport(store).confirm()
        let claims = try await store.list(prefix: StorageLayout.identities, after: nil, limit: 1000).objects
        #expect(claims.count == 4 && claims.allSatisfy { $0.key.description.contains("/~") })
        let service = try await TestService.make(options, store: store, clock: clock)
        try await service.expect(.apple, "eve", finds: UserID(LegacyStore.eve))
        try await service.expect(.apple, LegacyStore.appleID, finds: UserID(LegacyStore.bob))
    }
}
