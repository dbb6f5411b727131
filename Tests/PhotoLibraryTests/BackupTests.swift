import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// A folder, a state folder of the device, and a store.
struct BackupWorld {
    let folder: TemporaryFolder
    let state: TemporaryFolder
    let store: FakeStore
    var settings = BackupSettings()
    var device = DeviceTag.none

    /// Day 0 is long after the modification dates of the test files, which are at rest by then.
    static let firstDay = 40_000

    init(fault: @escaping FakeStore.Fault = { _, _ in nil }) throws {
        folder = try TemporaryFolder()
        state = try TemporaryFolder()
        store = FakeStore(fault: fault)
    }

    init(store: FakeStore) throws {
        folder = try TemporaryFolder()
        state = try TemporaryFolder()
        self.store = store
    }

    /// The same device with another view of its store.
    init(_ other: BackupWorld, on store: FakeStore) {
        (folder, state, settings, device) = (other.folder, other.state, other.settings, other.device)
        self.store = store
    }

    /// Another device with separate folders.
    init(beside other: BackupWorld, _ folder: TemporaryFolder, _ state: TemporaryFolder) {
        (store, settings) = (other.store, other.settings)
        (self.folder, self.state) = (folder, state)
    }

    /// The same device and folder, with the journal and the store of other points in time.
    init(_ other: BackupWorld, knowing state: TemporaryFolder, _ store: FakeStore) {
        (folder, settings, device) = (other.folder, other.settings, other.device)
        (self.state, self.store) = (state, store)
    }

    func backUp(
        onDay day: Int = 0, at moment: Date? = nil, report: @escaping @Sendable (BackupEvent) -> Void = { _ in }
    ) async throws -> BackupSummary {
        let backup = Backup(
            store: store, user: .bob, device: device, stateFolder: state.path, settings: settings, pause: .none,
            now: { moment ?? Date(timeIntervalSince1970: Double(Self.firstDay + day) * 86_400) }
        )
        return try await backup.run(folder: folder.path, report: report)
    }

    /// Removes the device's cached catalog.
    func forgetCatalog() {
        try? FileManager.default.removeItem(atPath: CatalogFolderCache.folder(in: state.path, user: .bob))
    }

    /// Writes an old snapshot of `others` photos, `0/a.jpg` and so on, that are not stored.
    func writeLegacyCatalog(of others: Int) async throws {
        var text = CatalogCSVTests.header
        for number in 0..<others {
            text +=
                "\(number)/a.jpg,\(try ContentDigest.seeded(number + 1)),\(number),2024-01-02T03:04:05Z,,image/jpeg\n"
        }
        let bytes = ByteBuffer(string: text)
        let digest = ContentDigest(of: bytes).description
        let snapshot = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest))
        _ = try await store.memory.put(snapshot, bytes, if: .always)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        _ = try await store.memory.put(pointer, ByteBuffer(string: digest), if: .always)
    }

    func catalog() async throws -> Catalog {
        try await CatalogStore(store: store, user: .bob, pause: .none).load().catalog
    }

    func stored(_ bytes: [UInt8]) async throws -> StoredObject? {
        let md5 = ContentDigest(of: ByteBuffer(bytes: bytes)).description
        return try await store.memory.get(ObjectKey(known: StorageLayout.photo(.bob, md5: md5)), limit: 1 << 30)
    }
}

struct BackupTests {
    @Test("photos are stored under their MD5 and listed in the catalog with names and dates")
    func first() async throws {
        let world = try BackupWorld()
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        let exif = PhotoBytes.exif([(0x9003, "2020:02:02 02:02:02")])
        try world.folder.write("2020/a b.jpg", PhotoBytes.jpeg(1, exif: exif), modified: date)
        try world.folder.write("c.jpg", PhotoBytes.jpeg(2), modified: date)
        try world.folder.write("readme.txt", Array("text".utf8))
        let summary = try await world.backUp()
        #expect(summary.isComplete)
        #expect(summary.progress.uploadedFiles == 2)
        #expect(summary.leftOut.map { "\($0.path) \($0.reason)" } == ["readme.txt noPhotoOrVideo"])
        let catalog = try await world.catalog()
        let path = try #require(LibraryPath("2020/a b.jpg"))
        let entry = try #require(catalog[path])
        #expect(entry.taken?.description == "2020-02-02T02:02:02Z")
        #expect(entry.modified.description == "2020-09-13T12:26:40Z")
        #expect(catalog.count == 2)
        #expect(try await world.stored(PhotoBytes.jpeg(2))?.bytes == ByteBuffer(bytes: PhotoBytes.jpeg(2)))
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: entry.md5.description))
        #expect(try await world.store.memory.head(key)?.attributes["content-type"] == "image/jpeg")
    }

    @Test("a second backup of the same folder reads the pointer and one page and writes nothing")
    func unchanged() async throws {
        var world = try BackupWorld()
        world.settings.checkedContents = 0
        for index in 0..<20 { try world.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await world.backUp()
        world.store.clearLog()
        let summary = try await world.backUp()
        #expect(summary.progress.alreadyStoredFiles == 20)
        #expect(summary.progress.uploadedFiles == 0)
        #expect(world.store.log.map { $0.split(separator: " ")[0] } == ["get", "list"])
    }

    @Test("a missing pointer is recreated by a backup without changes")
    func pointerGone() async throws {
        let world = try BackupWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await world.backUp()
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await world.store.delete(pointer, if: .always)
        #expect(try await world.backUp().isComplete)
        #expect(try await world.store.memory.head(pointer) != nil)
        #expect(try await world.catalog().count == 1)
    }

    @Test("several copies of one photo are one object and one entry each")
    func duplicates() async throws {
        let world = try BackupWorld()
        for index in 0..<12 { try world.folder.write("\(index).jpg", PhotoBytes.jpeg(7)) }
        let summary = try await world.backUp()
        #expect(summary.progress.uploadedFiles == 1)
        #expect(summary.progress.alreadyStoredFiles == 11)
        #expect(world.store.count("write", "photos/") == 1)
        #expect(try await world.catalog().count == 12)
    }

    @Test("a file too large to be held is uploaded in pieces and verified")
    func large() async throws {
        var world = try BackupWorld()
        world.settings.bufferedFileLimit = 1000
        let bytes = PhotoBytes.jpeg(3, length: 5_000_000)
        try world.folder.write("large.jpg", bytes)
        let pieces = Mutex<[Int64]>([])
        let summary = try await world.backUp { event in
            if case .sent(_, let sent, _) = event { pieces.withLock { $0.append(sent) } }
        }
        #expect(summary.isComplete)
        #expect(try await world.stored(bytes)?.bytes.readableBytes == bytes.count)
        let expected: [Int64] = [1_048_576, 2_097_152, 3_145_728, 4_194_304, Int64(bytes.count)]
        #expect(pieces.withLock { $0 } == expected)
    }

    @Test("an edited photo replaces its entry, and its previous bytes stay stored")
    func edited() async throws {
        let world = try BackupWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await world.backUp()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(2))
        let summary = try await world.backUp()
        #expect(summary.conflicts.isEmpty)
        #expect(try await world.catalog().count == 1)
        #expect(try await world.catalog().records.count == 2, "the replaced photo is in the trash")
        #expect(try await world.stored(PhotoBytes.jpeg(1)) != nil)
        #expect(try await world.stored(PhotoBytes.jpeg(2)) != nil)
    }

    @Test(
        "a different photo with another capture date at the same path is kept as a conflict",
        arguments: ["2020:02:02 02:02:02", "2020:02:02 02:02:03", nil])
    func anotherDate(_ date: String?) async throws {
        let world = try BackupWorld()
        let mine = "2020:02:02 02:02:02"
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1, exif: PhotoBytes.exif([(0x9003, mine), (0x9291, "12")])))
        _ = try await world.backUp()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(2, exif: date.map { PhotoBytes.exif([(0x9003, $0)]) }))
        #expect(try await world.backUp().conflicts.count == (date == mine ? 0 : 1))
        #expect(try await world.catalog().count == (date == mine ? 1 : 2))
    }

    @Test("a photo that reuses the name of a removed one is kept as a conflict")
    func nameUsedAgain() async throws {
        let world = try BackupWorld()
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1))
        try world.folder.write("IMG_2.jpg", PhotoBytes.jpeg(2))
        #expect(try await world.backUp().isComplete)
        try FileManager.default.removeItem(atPath: world.folder.subpath("IMG_1.jpg"))
        #expect(try await world.backUp().isComplete)
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(3))
        #expect(try await world.backUp().conflicts.map(\.path.description) == ["IMG_1.jpg"])
        #expect(try await world.catalog().count == 3)
    }

    @Test("an unusable name does not prevent detection of a reused name")
    func nameUsedAgainBesideProblem() async throws {
        let world = try BackupWorld()
        try world.folder.writeUnusableName()
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1))
        try world.folder.write("IMG_2.jpg", PhotoBytes.jpeg(2))
        #expect(try await world.backUp().problems.count == 1)
        try FileManager.default.removeItem(atPath: world.folder.subpath("IMG_1.jpg"))
        _ = try await world.backUp()
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(3))
        #expect(try await world.backUp().conflicts.map(\.path.description) == ["IMG_1.jpg"])
    }

    @Test("an emptied folder is reported as a problem, and its files are not read or replaced when they return")
    func emptied() async throws {
        let world = try BackupWorld()
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1))
        try world.folder.write("a/IMG_2.jpg", PhotoBytes.jpeg(2))
        #expect(try await world.backUp().isComplete)
        let away = try TemporaryFolder()
        for name in ["IMG_1.jpg", "a"] {
            try FileManager.default.moveItem(atPath: world.folder.subpath(name), toPath: away.subpath(name))
        }
        for _ in 1...2 { #expect(try await world.backUp().problems == [.emptied]) }
        for name in ["IMG_1.jpg", "a"] {
            try FileManager.default.moveItem(atPath: away.subpath(name), toPath: world.folder.subpath(name))
        }
        let place = BackupJournal.path(in: world.state.path, user: .bob, root: world.folder.path)
        #expect(BackupJournal.load(place).entries.count == 2)
        #expect(try await world.backUp().isComplete)
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(3))
        #expect(try await world.backUp().conflicts.map(\.path.description) == ["IMG_1.jpg"])
        #expect(try await BackupWorld().backUp().isComplete, "a folder that was always empty is not a problem")
    }

    @Test("another device's different photo of the same name is kept as a conflict permanently")
    func twoDevices() async throws {
        let world = try BackupWorld()
        try world.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1), modified: Date(timeIntervalSince1970: 10))
        _ = try await world.backUp()
        let other = try TemporaryFolder()
        try other.write("IMG_1.jpg", PhotoBytes.jpeg(2), modified: Date(timeIntervalSince1970: 20))
        let second = Backup(
            store: world.store, user: .bob, stateFolder: world.state.path, pause: .none,
            now: { Date(timeIntervalSince1970: 0) }
        )
        let summary = try await second.run(folder: other.path) { _ in }
        #expect(summary.conflicts.map(\.path.description) == ["IMG_1.jpg"])
        #expect(try await world.catalog().count == 2)
        let again = try await world.backUp()
        #expect(again.conflicts.isEmpty)
        #expect(try await world.catalog().count == 2)
    }

    @Test("with more than one page stored, only contents unknown to the catalog are checked")
    func manyStored() async throws {
        var world = try BackupWorld()
        world.settings.checkedContents = 0
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await world.backUp()
        for index in 0..<1001 {
            let digits = String(index)
            let md5 = String(repeating: "0", count: 32 - digits.count) + digits
            let key = ObjectKey(known: StorageLayout.photo(.bob, md5: md5))
            try await world.store.put(key, ByteBuffer(string: "x"), if: .always)
        }
        try world.folder.write("b.jpg", PhotoBytes.jpeg(2))
        world.store.clearLog()
        let summary = try await world.backUp()
        #expect(summary.progress.uploadedFiles == 1)
        #expect(world.store.count("head") == 1)
    }

    @Test("the final progress counts every file and byte")
    func progress() async throws {
        let world = try BackupWorld()
        for index in 0..<9 { try world.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let last = Mutex(BackupProgress())
        let summary = try await world.backUp { event in
            if case .finished(_, _, let progress) = event { last.withLock { $0 = progress } }
        }
        #expect(last.withLock { $0 } == summary.progress)
        #expect(summary.progress.finishedFiles == summary.progress.totalFiles)
        #expect(summary.progress.finishedBytes == summary.progress.totalBytes)
    }
}
