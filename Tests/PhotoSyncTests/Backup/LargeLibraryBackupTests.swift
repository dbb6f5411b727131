import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("A backup into a large library") struct LargeLibraryBackupTests {
    /// A store whose catalog is an old snapshot of `others` photos, with a folder of this device.
    private func fixture(others: Int) async throws -> BackupFixture {
        var fixture = try BackupFixture()
        fixture.settings.checkedContents = 5
        try await fixture.writeLegacyCatalog(of: others)
        for index in 0..<20 { try fixture.folder.write("mine/\(index).jpg", PhotoBytes.jpeg(index)) }
        return fixture
    }

    @Test("a large catalog is not read, new contents are checked, and nothing is listed")
    func blind() async throws {
        let fixture = try await fixture(others: 8000)
        let summary = try await fixture.backUp()
        #expect(summary.isComplete && summary.catalogEntries == nil)
        #expect(summary.progress.uploadedFiles == 20)
        #expect(fixture.store.count("head", "photos/") == 20)
        #expect(fixture.store.count("list") == 0)
        #expect(fixture.store.count("read", "catalogs/") == 1, "the beginning of the old snapshot")
        #expect(try await fixture.catalog().count == 8020)
    }

    @Test("backups of the following days check a share of the contents committed by this device and write nothing")
    func unchanged() async throws {
        let fixture = try await fixture(others: 8000)
        _ = try await fixture.backUp()
        var asked: [String] = []
        for day in 1...4 {
            fixture.store.clearLog()
            let summary = try await fixture.backUp(onDay: day)
            #expect(summary.progress.alreadyStoredFiles == 20)
            #expect(fixture.store.count("write") + fixture.store.count("put") + fixture.store.count("list") == 0)
            asked += fixture.store.log.filter { $0.hasPrefix("head ") }
        }
        #expect(asked.count == 20 && Set(asked).count == 20)
    }

    @Test("an edited photo replaces the one that this device committed, without reading the catalog")
    func edited() async throws {
        let fixture = try await fixture(others: 8000)
        _ = try await fixture.backUp()
        try fixture.folder.write("mine/3.jpg", PhotoBytes.jpeg(99))
        #expect(try await fixture.backUp().progress.uploadedFiles == 1)
        let catalog = try await fixture.catalog()
        #expect(catalog.count == 8020)
        let path = try #require(LibraryPath("mine/3.jpg"))
        #expect(catalog[path]?.md5 == ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(99))))
    }

    @Test(
        "a device does not replace a photo that another device uploaded", arguments: [0, 8000])
    func foundThere(others: Int) async throws {
        let phone = try await fixture(others: others)
        _ = try await phone.backUp()
        let laptop = try BackupFixture(like: phone, folder: TemporaryFolder(), state: TemporaryFolder())
        for index in 0..<20 { try laptop.folder.write("mine/\(index).jpg", PhotoBytes.jpeg(index)) }
        #expect(try await laptop.backUp().progress.alreadyStoredFiles == 20)
        try laptop.folder.write("mine/3.jpg", PhotoBytes.jpeg(99))
        try laptop.folder.write("mine/4.jpg", PhotoBytes.jpeg(98))
        _ = try await laptop.backUp()
        #expect(try await laptop.catalog().count == others + 22)
        // The device replaces what it uploaded.
        try laptop.folder.write("mine/3.jpg", PhotoBytes.jpeg(97))
        _ = try await laptop.backUp()
        let catalog = try await laptop.catalog()
        #expect(catalog.count == others + 22)
        let path = try #require(LibraryPath("mine/3.jpg"))
        #expect(catalog.holds(path, ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(3)))))
        #expect(catalog.holds(path, ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(97)))))
    }

    /// Two devices that have backed up the same 20 photos: the laptop uploaded them, and the phone found them stored.
    private func twoDevices(others: Int) async throws -> (laptop: BackupFixture, phone: BackupFixture) {
        var laptop = try await fixture(others: others)
        laptop.device = DeviceTag(value: 1)
        _ = try await laptop.backUp()
        var phone = try BackupFixture(like: laptop, folder: TemporaryFolder(), state: TemporaryFolder())
        phone.device = DeviceTag(value: 2)
        for index in 0..<20 { try phone.folder.write("mine/\(index).jpg", PhotoBytes.jpeg(index)) }
        #expect(try await phone.backUp().progress.alreadyStoredFiles == 20)
        return (laptop, phone)
    }

    @Test(
        "a photo trashed by another device's edit is restored by a device that still has it, unless a user trashed it",
        arguments: [0, 8000])
    func stillThere(others: Int) async throws {
        let (laptop, phone) = try await twoDevices(others: others)
        try laptop.folder.write("mine/3.jpg", PhotoBytes.jpeg(99))
        _ = try await laptop.backUp()
        let (path, md5) = (
            try #require(LibraryPath("mine/3.jpg")), ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(3)))
        )
        #expect(try await !laptop.catalog().holds(path, md5))
        let summary = try await phone.backUp(onDay: 30)
        #expect(summary.conflicts.map(\.path) == [path])
        #expect(try await phone.catalog().holds(path, md5))
        for fixture in [laptop, phone, laptop] { _ = try await fixture.backUp(onDay: 30) }
        #expect(try await phone.catalog().count == others + 21)

        let catalogs = CatalogStore(store: phone.store, user: .bob, pause: .none)
        _ = try await catalogs.commit([.trash(path, md5)], onto: try await catalogs.load())
        for fixture in [laptop, phone] { _ = try await fixture.backUp(onDay: 30) }
        #expect(try await phone.catalog().count == others + 20)
    }

    @Test("a photo edited twice elsewhere is restored, unless a user trashed the last edit")
    func stillThereAfterTwoEdits() async throws {
        let (laptop, phone) = try await twoDevices(others: 0)
        for edit in 98...99 {
            for name in 3...4 { try laptop.folder.write("mine/\(name).jpg", PhotoBytes.jpeg(edit * 100 + name)) }
            _ = try await laptop.backUp()
        }
        let paths = try (3...4).map { try #require(LibraryPath("mine/\($0).jpg")) }
        let catalogs = CatalogStore(store: phone.store, user: .bob, pause: .none)
        let last = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(9904)))
        _ = try await catalogs.commit([.trash(paths[1], last)], onto: try await catalogs.load())
        #expect(try await phone.backUp().conflicts.map(\.path) == [paths[0]])
        let catalog = try await phone.catalog()
        #expect(catalog.holds(paths[0], ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(3)))))
        #expect(!catalog.holds(paths[1], ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(4)))))
    }

    @Test("the restored files of two photos with one name are recognized, although the catalog is not loaded first")
    func shownNames() async throws {
        var laptop = try await fixture(others: 8000)
        laptop.device = DeviceTag(value: 1)
        _ = try await laptop.backUp()
        var phone = try BackupFixture(like: laptop, folder: TemporaryFolder(), state: TemporaryFolder())
        phone.device = DeviceTag(value: 2)
        try phone.folder.write("mine/3.jpg", PhotoBytes.jpeg(99))
        _ = try await phone.backUp()
        let before = try await phone.catalog()
        let restored = try BackupFixture(like: phone, folder: TemporaryFolder(), state: TemporaryFolder())
        let names = before.entries.filter { $0.path.name == "3.jpg" || $0.path.name.hasPrefix("3 (conflict") }
        #expect(names.count == 2)
        for entry in names {
            let seed = entry.md5 == ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(3))) ? 3 : 99
            try restored.folder.write(entry.path.description, PhotoBytes.jpeg(seed))
        }
        #expect(try await restored.backUp().progress.alreadyStoredFiles == 2)
        #expect(try await restored.catalog().count == before.count)
    }

    @Test("decisions made without the catalog are repeated once it is read")
    func decidedBlind() async throws {
        var laptop = try await fixture(others: 8000)
        laptop.device = DeviceTag(value: 1)
        laptop.settings.commitAfterFiles = 5000
        _ = try await laptop.backUp()
        var phone = try BackupFixture(like: laptop, folder: TemporaryFolder(), state: TemporaryFolder())
        phone.device = DeviceTag(value: 2)
        try phone.folder.write("mine/3.jpg", PhotoBytes.jpeg(3), modified: Date(timeIntervalSince1970: 1000))
        _ = try await phone.backUp()
        try laptop.folder.write("mine/3.jpg", PhotoBytes.jpeg(99))
        _ = try await importMany(laptop, onDay: 0)
        let (catalog, path) = (try await laptop.catalog(), try #require(LibraryPath("mine/3.jpg")))
        #expect(catalog.holds(path, ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(3)))))
        #expect(catalog.holds(path, ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(99)))))
    }

    @Test("a photo trashed by a user stays in the trash when a device edits the file")
    func editedAfterTrash() async throws {
        let (laptop, phone) = try await twoDevices(others: 0)
        let (path, md5) = (
            try #require(LibraryPath("mine/3.jpg")), ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(3)))
        )
        let catalogs = CatalogStore(store: phone.store, user: .bob, pause: .none)
        _ = try await catalogs.commit([.trash(path, md5)], onto: try await catalogs.load())
        try laptop.folder.write("mine/3.jpg", PhotoBytes.jpeg(99))
        for fixture in [laptop, phone, laptop] { _ = try await fixture.backUp() }
        let catalog = try await phone.catalog()
        #expect(!catalog.holds(path, md5) && catalog.count == 20)
    }

    /// A device with 25 photos, and the catalog from when it had 20 of them.
    private func putBack() async throws -> BackupFixture {
        let fixture = try await fixture(others: 8000)
        _ = try await fixture.backUp()
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        let before = try #require(try await fixture.store.memory.get(pointer)).bytes
        for index in 20..<25 { try fixture.folder.write("mine/\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        #expect(try await fixture.catalog().count == 8025)
        _ = try await fixture.store.memory.put(pointer, before, if: .always)
        #expect(try await fixture.catalog().count == 8020)
        return fixture
    }

    /// Another device commits onto the older catalog, so that the counters do not reveal it.
    private func commitFromAnotherDevice(_ fixture: BackupFixture) async throws {
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        let changes = try (0..<10).map { try CatalogChange.photo("theirs/\($0).jpg", seed: 90_000 + $0) }
        _ = try await catalogs.commit(changes, onto: try await catalogs.head())
    }

    @Test("after an older catalog is restored, a device adds the missing entries")
    func olderCatalog() async throws {
        let fixture = try await putBack()
        #expect(try await fixture.backUp().isComplete)
        #expect(try await fixture.catalog().count == 8025)
    }

    @Test("after others continue from an older catalog, missing entries are added within a month")
    func olderCatalogUnseen() async throws {
        let fixture = try await putBack()
        try await commitFromAnotherDevice(fixture)
        _ = try await fixture.backUp(onDay: 29)
        #expect(try await fixture.catalog().count == 8030)
        _ = try await fixture.backUp(onDay: 30)
        #expect(try await fixture.catalog().count == 8035)
    }

    @Test("if the store lacks a committed content, all entries are checked again")
    func olderStore() async throws {
        var fixture = try await putBack()
        fixture.settings.checkedContents = 1000
        try await commitFromAnotherDevice(fixture)
        let lost = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(24))).description
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: lost))
        try await fixture.store.memory.delete(key, if: .always)
        #expect(try await fixture.backUp(onDay: 1).progress.uploadedFiles == 1)
        #expect(try await fixture.catalog().count == 8031)
        #expect(try await fixture.backUp(onDay: 1).progress.uploadedFiles == 0)
        #expect(try await fixture.catalog().count == 8035)
    }

    /// Adds enough photos for the catalog to be read during the backup, and then removes it from the device's cache.
    private func importMany(_ fixture: BackupFixture, onDay day: Int) async throws -> BackupSummary {
        for index in 0..<1600 { try fixture.folder.write("new/\(index).jpg", PhotoBytes.jpeg(1000 + index)) }
        let summary = try await fixture.backUp(onDay: day)
        #expect(summary.isComplete && summary.catalogEntries != nil)
        try FileManager.default.removeItem(atPath: CatalogFolderCache.folder(in: fixture.state.path, user: .bob))
        return summary
    }

    @Test("files decided before the catalog was read do not count as checked against it")
    func importedMany() async throws {
        let fixture = try await putBack()
        try await commitFromAnotherDevice(fixture)
        _ = try await importMany(fixture, onDay: 20)
        #expect(try await fixture.catalog().count == 8030 + 1600)
        #expect(try await fixture.backUp(onDay: 29).catalogEntries == nil)
        #expect(try await fixture.backUp(onDay: 30).catalogEntries == 8035 + 1600)
    }

    @Test("a lost content is remembered during a large upload")
    func lostAndImported() async throws {
        var fixture = try await putBack()
        fixture.settings.checkedContents = 1000
        try await commitFromAnotherDevice(fixture)
        let lost = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(24))).description
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: lost))
        try await fixture.store.memory.delete(key, if: .always)
        #expect(try await importMany(fixture, onDay: 1).progress.uploadedFiles == 1601)
        _ = try await fixture.backUp(onDay: 1)
        #expect(try await fixture.catalog().count == 8035 + 1600)
    }

    @Test("an unusable name does not prevent the journal from being trusted")
    func lastingProblem() async throws {
        let fixture = try await putBack()
        try await commitFromAnotherDevice(fixture)
        try fixture.folder.writeUnusableName()
        let journal = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        #expect(try await fixture.backUp(onDay: 31).problems.count == 1)
        #expect(try await fixture.catalog().count == 8035)
        #expect(await JournalBaseline(journalFile: journal).load()?.day == BackupFixture.firstDay + 31)
    }

    @Test("after a catalog repair each device adds its lost entries")
    func mended() async throws {
        let fixture = try await fixture(others: 8000)
        let before = try await CatalogStore(store: fixture.store, user: .bob, pause: .none).head()
        _ = try await fixture.backUp()
        let after = try await CatalogStore(store: fixture.store, user: .bob, pause: .none).head()
        let lost = ObjectKey(
            known: StorageLayout.catalogSnapshot(.bob, md5: try #require(after.snapshot).description))
        try await fixture.store.memory.delete(lost, if: .always)
        let repair = try await CatalogStore(store: fixture.store, user: .bob, pause: .none).repair()
        #expect(repair.isRepaired && repair.entries == 8000 && before.snapshot != nil)
        let summary = try await fixture.backUp()
        #expect(summary.progress.uploadedFiles == 0)
        #expect(summary.catalogEntries == 8020)
        #expect(try await fixture.catalog().count == 8020)
        fixture.store.clearLog()
        #expect(try await fixture.backUp().isComplete)
        #expect(fixture.store.count("read", "catalogs/") == 0, "the journal is trusted again")
    }

    @Test("commits contain more photos the larger the cached catalog is")
    func growingCommits() async throws {
        var fixture = try await fixture(others: 2000)
        fixture.settings.commitAfterFiles = 5
        for index in 20..<80 { try fixture.folder.write("mine/\(index).jpg", PhotoBytes.jpeg(index)) }
        fixture.store.clearLog()
        #expect(try await fixture.backUp().catalogEntries == 2080)
        #expect(fixture.store.count("put", "catalogs/") == 2)
    }

    @Test("with a cached catalog conflicts are reported and entries counted")
    func atHand() async throws {
        let fixture = try await fixture(others: 2000)
        #expect(try await fixture.backUp().catalogEntries == 2020)
        try fixture.folder.write("7/a.jpg", PhotoBytes.jpeg(50))
        let summary = try await fixture.backUp()
        #expect(summary.conflicts.map(\.path.description) == ["7/a.jpg"])
        #expect(summary.catalogEntries == 2021)
    }
}
