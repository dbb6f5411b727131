import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Purging the trash") struct PurgeTests {
    @Test("a purge deletes contents trashed for 30 days and their thumbnails, except recent or still used ones")
    func deletes() async throws {
        let fixture = try await PurgeFixture()
        let md5 = ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))
        let thumbnail = ObjectKey(known: StorageLayout.thumbnail(.bob, md5: md5.description))
        let preview = ObjectKey(known: StorageLayout.preview(.bob, md5: md5.description))
        for key in [thumbnail, preview] {
            _ = try await fixture.store.put(key, ByteBuffer(string: "small"), if: .always)
        }
        let asked = try await TrashPurge(fixture.catalogs(), store: fixture.store).run { summary in
            #expect([summary.files, summary.contents].elementsEqual([1, 1]))
            #expect(summary.bytes == Int64(PurgeFixture.expired.count))
            return false
        }
        #expect(!asked.isDone && asked.deleted == 0)
        #expect(try await fixture.isStored(PurgeFixture.expired))

        let done = try await fixture.purge()
        #expect(done.isDone && done.deleted == 1 && done.failed == 0)
        #expect(try await !fixture.isStored(PurgeFixture.expired))
        for key in [thumbnail, preview] { #expect(try await fixture.store.head(key) == nil) }
        for bytes in [PurgeFixture.elsewhere, PurgeFixture.recent] { #expect(try await fixture.isStored(bytes)) }
        let catalog = try await fixture.catalog()
        #expect(catalog.trash.map(\.path.description) == ["b.jpg", "c.jpg"])
        #expect(catalog.entries.map(\.path.description) == ["copy of b.jpg"])
        let again = try await TrashPurge(fixture.catalogs(), store: fixture.store).run { _ in
            Issue.record("a confirmation was requested")
            return true
        }
        #expect(again.files == 0)
        fixture.clock.advance(by: 20 * 86_400)
        #expect(try await fixture.purge().deleted == 1)
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["b.jpg"])
    }

    @Test func `a purge that includes recent photos deletes every content that is only in the trash`() async throws {
        let fixture = try await PurgeFixture()
        let purge = TrashPurge(fixture.catalogs(), store: fixture.store, includesRecent: true)
        let done = try await purge.run { _ in true }
        #expect(done.isDone && done.deleted == 2 && done.failed == 0)
        for bytes in [PurgeFixture.expired, PurgeFixture.recent] { #expect(try await !fixture.isStored(bytes)) }
        #expect(try await fixture.isStored(PurgeFixture.elsewhere), "it is in the library at another path")
        #expect(try await fixture.catalog().entries.map(\.path.description) == ["copy of b.jpg"])
    }

    @Test("a purge of selected contents deletes only them, and counts those that it keeps")
    func selected() async throws {
        let fixture = try await PurgeFixture()
        let digests = [PurgeFixture.expired, PurgeFixture.elsewhere, PurgeFixture.recent].map {
            ContentDigest(of: ByteBuffer(bytes: $0))
        }
        let expired = TrashPurge(fixture.catalogs(), store: fixture.store)
        let kept = try await expired.run([digests[1], digests[2]]) { _ in
            Issue.record("a confirmation was requested")
            return true
        }
        #expect([kept.files, kept.kept, kept.recent].elementsEqual([0, 1, 1]))
        let now = TrashPurge(fixture.catalogs(), store: fixture.store, includesRecent: true)
        let done = try await now.run([digests[1], digests[2]]) { _ in true }
        #expect(done.isDone && [done.deleted, done.kept, done.recent].elementsEqual([1, 1, 0]))
        #expect(try await fixture.isStored(PurgeFixture.expired))
        #expect(try await !fixture.isStored(PurgeFixture.recent))
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["a.jpg", "b.jpg"])
    }

    @Test("a selected photo is purged with its companions, a selected companion or version without the photo")
    func companions() async throws {
        let laptop = try BackupFixture()
        try laptop.folder.write("IMG_1.JPG", PhotoBytes.jpeg(1))
        for edit in 1...2 {
            try laptop.folder.write("IMG_1.xmp", Array("<x:xmpmeta>\(edit)</x:xmpmeta>".utf8))
            _ = try await laptop.backUp(onDay: edit)
        }
        let catalogs = CatalogStore(store: laptop.store, user: .bob, device: DeviceTag(value: 9), pause: .none)
        _ = try await PhotoTrash(catalogs).moveToTrash(PhotoSelection())
        var (photo, sidecar) = (PhotoSelection(), PhotoSelection())
        (photo.paths, sidecar.paths) = (["IMG_1.JPG"], ["IMG_1.xmp"])
        let sidecars = try await catalogs.contentsInTrash(sidecar).contents
        #expect(sidecars.count == 2)
        let jpeg = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1)))
        let whole = try await catalogs.contentsInTrash(photo).contents
        #expect(whole.count == 2 && whole.contains(jpeg) && whole.isSubset(of: sidecars.union([jpeg])))
        let one = try await catalogs.contentsInTrash(photo, .withPrefixes([String(jpeg.description.prefix(8))]))
            .contents
        #expect(one == [jpeg])
        await #expect(throws: SelectionError.unknownVersion("0123abcd")) {
            _ = try await catalogs.contentsInTrash(photo, .withPrefixes(["0123abcd"]))
        }
        photo.paths = ["IMG_2.JPG"]
        await #expect(throws: SelectionError.unknownPaths(["IMG_2.JPG"])) {
            _ = try await catalogs.contentsInTrash(photo)
        }
    }

    @Test("a content that the trash also has at another path is only purged with all its paths")
    func shared() async throws {
        let laptop = try BackupFixture()
        for name in ["a.jpg", "b.jpg"] { try laptop.folder.write(name, PhotoBytes.jpeg(1)) }
        _ = try await laptop.backUp()
        let catalogs = CatalogStore(store: laptop.store, user: .bob, device: DeviceTag(value: 9), pause: .none)
        _ = try await PhotoTrash(catalogs).moveToTrash(PhotoSelection())
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1)))
        var selection = PhotoSelection()
        selection.paths = ["a.jpg"]
        for versions in [TrashVersions.all, .withPrefixes([String(md5.description.prefix(8))])] {
            let selected = try await catalogs.contentsInTrash(selection, versions)
            #expect(selected == PurgeSelection(contents: [], shared: 1))
        }
        selection.paths = ["a.jpg", "b.jpg"]
        #expect(try await catalogs.contentsInTrash(selection) == PurgeSelection(contents: [md5], shared: 0))
    }

    @Test("no confirmation is requested and nothing is written if no trashed photo has expired")
    func nothing() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let catalogs = CatalogStore(store: store, user: .bob, pause: .none)
        let summary = try await TrashPurge(catalogs, store: store).run { _ in true }
        #expect(summary.files == 0 && !summary.isDone)
        #expect(try await store.list(prefix: "", after: nil, limit: 10).objects.isEmpty)
    }

    @Test("a large purge runs in batches")
    func rounds() async throws {
        let fixture = try await PurgeFixture()
        fixture.clock.advance(by: 20 * 86_400)
        let purge = TrashPurge(fixture.catalogs(), store: fixture.store, contentsAtOnce: 1)
        let summary = try await purge.run { _ in true }
        #expect(summary.isDone && summary.deleted == 2)
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["b.jpg"])
    }

    @Test("a device that still has the file reports it and never uploads it again", arguments: [0, 8000])
    func stillThere(others: Int) async throws {
        let fixture = try await PurgeFixture(others: others)
        _ = try await fixture.purge()
        for day in [0, 1, 2, 40, 41] {
            fixture.laptop.forgetCatalog()
            let summary = try await fixture.laptop.backUp(onDay: day)
            let isBlind = others > 0 && ![0, 40].contains(day)
            #expect((summary.catalogEntries == nil) == isBlind, "day \(day)")
            #expect(summary.isComplete && summary.progress.uploadedFiles == 0, "day \(day)")
            let deleted = summary.leftOut.filter { $0.reason == .deleted }
            #expect(deleted.map(\.path.description) == ["a.jpg"], "day \(day)")
        }
        #expect(try await !fixture.isStored(PurgeFixture.expired))
        #expect(try await fixture.missing().isEmpty)
    }

    @Test("a deleted photo that a backup names is a failure, also in a dry run")
    func named() async throws {
        let fixture = try await PurgeFixture()
        _ = try await fixture.purge()
        let laptop = fixture.laptop
        let backup = Backup(
            store: laptop.store, user: .bob, stateFolder: laptop.state.path, settings: laptop.settings, pause: .none,
            now: { Date(timeIntervalSince1970: Double(BackupFixture.firstDay) * 86_400) })
        let names = Set(["a.jpg", "b.jpg"].compactMap { LibraryPath($0) })
        for summary in [
            try await backup.predict(folder: laptop.folder.path, only: names) { _ in },
            try await backup.run(folder: laptop.folder.path, only: names) { _ in },
        ] {
            #expect(summary.failures.map(\.path.description) == ["a.jpg"] && !summary.isComplete)
            #expect(summary.failures.map(\.failure) == [.leftOut(.deleted)] && summary.leftOut.isEmpty)
            #expect(summary.progress.totalFiles == 2 && summary.progress.uploadedFiles == 0)
        }
    }

    @Test(
        "the first backup of another device reports a deleted photo, and names those in the trash",
        arguments: [0, 8000])
    func otherDevice(others: Int) async throws {
        let fixture = try await PurgeFixture(others: others)
        _ = try await fixture.purge()
        let tablet = try BackupFixture(store: FakeObjectStore(fixture.store))
        try tablet.folder.write("a.jpg", PurgeFixture.expired)
        try tablet.folder.write("c.jpg", PurgeFixture.recent)
        let summary = try await tablet.backUp()
        #expect(summary.leftOut.map(\.reason) == [.deleted] && summary.progress.uploadedFiles == 0)
        #expect(summary.filesInTrash?.map(\.description) == ["c.jpg"])
        #expect(try await !fixture.isStored(PurgeFixture.expired))
    }

    @Test(
        "the same bytes under another name are a new photo, even if a device assumes they are stored",
        arguments: [0, 8000])
    func addedAnew(others: Int) async throws {
        let fixture = try await PurgeFixture(others: others)
        _ = try await fixture.purge()
        _ = try await fixture.laptop.backUp(onDay: 1)
        fixture.laptop.forgetCatalog()
        try fixture.laptop.folder.write("new.jpg", PurgeFixture.expired)
        let summary = try await fixture.laptop.backUp(onDay: 2)
        #expect(summary.isComplete && summary.progress.uploadedFiles == 1)
        #expect((summary.catalogEntries == nil) == (others > 0))
        #expect(try await fixture.isStored(PurgeFixture.expired))
        #expect(try await fixture.catalog().entries.contains { $0.path.description == "new.jpg" })
        #expect(try await fixture.missing().isEmpty)
    }

    @Test("an edit of the file does not restore a deleted photo", arguments: [0, 8000])
    func edited(others: Int) async throws {
        let fixture = try await PurgeFixture(others: others)
        _ = try await fixture.purge()
        _ = try await fixture.laptop.backUp()
        fixture.laptop.forgetCatalog()
        try fixture.laptop.folder.write("a.jpg", PhotoBytes.jpeg(77))
        _ = try await fixture.laptop.backUp(onDay: 1)
        let (catalog, path) = (try await fixture.catalog(), try #require(LibraryPath("a.jpg")))
        #expect(catalog.isDeleted(path, ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))))
        #expect(catalog.holds(path, ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(77)))))
    }

    @Test("a device whose only photo was deleted reads the catalog again when it changes")
    func onlyPhoto() async throws {
        let fixture = try await PurgeFixture(others: 8000)
        for name in ["b.jpg", "copy of b.jpg", "c.jpg"] {
            try FileManager.default.removeItem(atPath: fixture.laptop.folder.subpath(name))
        }
        _ = try await fixture.purge()
        #expect(try await fixture.laptop.backUp(onDay: 1).leftOut.map(\.reason) == [LeftOutFile.Reason.deleted])
        // An older store without the photo is restored.
        try await fixture.laptop.writeLegacyCatalog(of: 8000)
        fixture.laptop.forgetCatalog()
        #expect(try await fixture.laptop.backUp(onDay: 2).progress.uploadedFiles == 1)
        #expect(try await fixture.isStored(PurgeFixture.expired))
    }

    @Test("a deleted photo is neither backed up nor waiting, and no migration uploads it")
    func counted() async throws {
        let fixture = try await PurgeFixture()
        _ = try await fixture.purge()
        let status = try await LibraryStatus.read(
            store: fixture.store, user: .bob, of: .folder(fixture.laptop.folder.path, FolderFilter(), into: nil),
            stateFolder: fixture.laptop.state.path,
            pause: .none, report: { _ in })
        #expect(status.localFiles == 4 && status.backedUpFiles == 2 && status.trashedFiles == 1)
        #expect(status.waitingFiles == 0 && status.deletedFiles == 1)
        let scan = try await LocalLibrary(stateFolder: fixture.laptop.state.path, now: { fixture.clock.now })
            .scan(fixture.laptop.folder.path) { _ in }
        let plan = try LibraryMigrationPlan([scan], into: try await fixture.catalog())
        #expect([plan.files, plan.waitingFiles, plan.deletedFiles].elementsEqual([3, 0, 1]))
    }

    @Test("a trash entry without facts is not deleted")
    func trashOnly() async throws {
        let fixture = try await PurgeFixture()
        var file = CatalogFile()
        file.rows = try await fixture.catalog().trashAlone
        try await fixture.store.putSnapshot(CatalogCSV.encode(file))
        #expect(try await fixture.purge().files == 0)
        #expect(try await fixture.isStored(PurgeFixture.expired))
    }

    @Test("a purged photo that another device's edit replaced is uploaded again by a device that has it")
    func replaced() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        var laptop = try BackupFixture(store: FakeObjectStore(store))
        laptop.device = DeviceTag(value: 1)
        try laptop.folder.write("a.jpg", PurgeFixture.expired)
        _ = try await laptop.backUp()
        var phone = try BackupFixture(store: FakeObjectStore(store))
        phone.device = DeviceTag(value: 2)
        try phone.folder.write("a.jpg", PurgeFixture.expired)
        _ = try await phone.backUp()
        try laptop.folder.write("a.jpg", PurgeFixture.recent)
        _ = try await laptop.backUp()
        clock.advance(by: PurgeFixture.over30Days)
        let catalogs = CatalogStore(store: store, user: .bob, pause: .none)
        #expect(try await TrashPurge(catalogs, store: store).run { _ in true }.deleted == 1)
        let summary = try await phone.backUp(onDay: 32)
        #expect(summary.progress.uploadedFiles == 1 && summary.conflicts.count == 1)
        let path = try #require(LibraryPath("a.jpg"))
        #expect(try await phone.catalog().holds(path, ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))))
        #expect(try await laptop.stored(PurgeFixture.expired) != nil)
    }

    @Test("a purged photo is not synced again until a user adds it again")
    func synced() async throws {
        let clock = TestClock()
        let sync = try SyncFixture(clock: clock)
        let (laptop, phone) = (sync.laptop, sync.phone)
        try await sync.addPhotos(5)
        try laptop.remove("0.jpg")
        #expect(try await laptop.sync().isComplete)
        clock.advance(by: 31 * 86_400)
        #expect(try await TrashPurge(sync.library.catalogs, store: sync.library.store).run { _ in true }.deleted == 1)

        #expect(try await phone.sync().isComplete)
        #expect(try phone.photos().keys.sorted() == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
        try phone.folder.write("0.jpg", PhotoBytes.jpeg(0))
        #expect(try await phone.sync().toLibrary.progress.uploadedFiles == 1)
        #expect(try await laptop.sync().isComplete)
        #expect(try laptop.photos().keys.sorted().first == "0.jpg")
    }
}

extension Catalog {
    /// The trash entries of the catalog without the facts from when they were added.
    fileprivate var trashAlone: Catalog {
        var rest = Catalog()
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where record.trashed > 0 {
                var bare = CatalogRecord()
                (bare.md5, bare.trashed, bare.trashChanged) = (record.md5, record.trashed, record.trashChanged)
                rest.append(bare, paths[index])
            }
        }
        return rest
    }
}
