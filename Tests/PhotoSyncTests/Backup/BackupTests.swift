import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct BackupTests {
    @Test("photos are stored under their MD5 and listed in the catalog with names and dates")
    func first() async throws {
        let fixture = try BackupFixture()
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        let exif = PhotoBytes.exif([(0x9003, "2020:02:02 02:02:02")])
        try fixture.folder.write("2020/a b.jpg", PhotoBytes.jpeg(1, exif: exif), modified: date)
        try fixture.folder.write("c.jpg", PhotoBytes.jpeg(2), modified: date)
        try fixture.folder.write("readme.txt", Array("text".utf8))
        let summary = try await fixture.backUp()
        #expect(summary.isComplete)
        #expect(summary.progress.uploadedFiles == 2)
        #expect(summary.leftOut.map { "\($0.path) \($0.reason)" } == ["readme.txt noPhotoOrVideo"])
        let catalog = try await fixture.catalog()
        let path = try #require(LibraryPath("2020/a b.jpg"))
        let entry = try #require(catalog[path])
        #expect(entry.taken?.description == "2020-02-02T02:02:02Z")
        #expect(entry.modified.description == "2020-09-13T12:26:40Z")
        #expect(catalog.count == 2)
        #expect(try await fixture.stored(PhotoBytes.jpeg(2))?.bytes == ByteBuffer(bytes: PhotoBytes.jpeg(2)))
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: entry.md5.description))
        #expect(try await fixture.store.memory.head(key)?.attributes["content-type"] == "image/jpeg")
    }

    @Test("a second backup of the same folder reads the pointer and one page and writes nothing")
    func unchanged() async throws {
        var fixture = try BackupFixture()
        fixture.settings.checkedContents = 0
        for index in 0..<20 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        fixture.store.clearLog()
        let summary = try await fixture.backUp()
        #expect(summary.progress.alreadyStoredFiles == 20)
        #expect(summary.progress.uploadedFiles == 0)
        #expect(fixture.store.log.map { $0.split(separator: " ")[0] } == ["get", "list"])
    }

    @Test("a missing pointer is recreated by a backup without changes")
    func pointerGone() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await fixture.backUp()
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await fixture.store.delete(pointer, if: .always)
        #expect(try await fixture.backUp().isComplete)
        #expect(try await fixture.store.memory.head(pointer) != nil)
        #expect(try await fixture.catalog().count == 1)
    }

    @Test("several copies of one photo are one object and one entry each")
    func duplicates() async throws {
        let fixture = try BackupFixture()
        for index in 0..<12 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(7)) }
        let summary = try await fixture.backUp()
        #expect(summary.progress.uploadedFiles == 1)
        #expect(summary.progress.alreadyStoredFiles == 11)
        #expect(fixture.store.count("write", "photos/") == 1)
        #expect(try await fixture.catalog().count == 12)
    }

    @Test("a file too large to be held is uploaded in pieces and verified")
    func large() async throws {
        var fixture = try BackupFixture()
        fixture.settings.bufferedFileLimit = 1000
        let bytes = PhotoBytes.jpeg(3, length: 5_000_000)
        try fixture.folder.write("large.jpg", bytes)
        let pieces = Mutex<[Int64]>([])
        let summary = try await fixture.backUp { event in
            if case .sent(_, let sent, _) = event { pieces.withLock { $0.append(sent) } }
        }
        #expect(summary.isComplete)
        #expect(try await fixture.stored(bytes)?.bytes.readableBytes == bytes.count)
        let expected: [Int64] = [1_048_576, 2_097_152, 3_145_728, 4_194_304, Int64(bytes.count)]
        #expect(pieces.withLock { $0 } == expected)
    }

    @Test("an edited photo replaces its entry, and its previous bytes stay stored")
    func edited() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await fixture.backUp()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(2))
        let summary = try await fixture.backUp()
        #expect(summary.conflicts.isEmpty)
        #expect(try await fixture.catalog().count == 1)
        #expect(try await fixture.catalog().records.count == 2, "the replaced photo is in the trash")
        #expect(try await fixture.stored(PhotoBytes.jpeg(1)) != nil)
        #expect(try await fixture.stored(PhotoBytes.jpeg(2)) != nil)
    }

    @Test(
        "a different photo with another capture date at the same path is kept as a conflict",
        arguments: ["2020:02:02 02:02:02", "2020:02:02 02:02:03", nil])
    func anotherDate(_ date: String?) async throws {
        let fixture = try BackupFixture()
        let mine = "2020:02:02 02:02:02"
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1, exif: PhotoBytes.exif([(0x9003, mine), (0x9291, "12")])))
        _ = try await fixture.backUp()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(2, exif: date.map { PhotoBytes.exif([(0x9003, $0)]) }))
        #expect(try await fixture.backUp().conflicts.count == (date == mine ? 0 : 1))
        #expect(try await fixture.catalog().count == (date == mine ? 1 : 2))
    }

    @Test("a photo that reuses the name of a removed one is kept as a conflict")
    func nameUsedAgain() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("IMG_2.jpg", PhotoBytes.jpeg(2))
        #expect(try await fixture.backUp().isComplete)
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("IMG_1.jpg"))
        #expect(try await fixture.backUp().isComplete)
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(3))
        #expect(try await fixture.backUp().conflicts.map(\.path.description) == ["IMG_1.jpg"])
        #expect(try await fixture.catalog().count == 3)
    }

    @Test("an unusable name does not prevent detection of a reused name")
    func nameUsedAgainBesideProblem() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.writeUnusableName()
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("IMG_2.jpg", PhotoBytes.jpeg(2))
        #expect(try await fixture.backUp().problems.count == 1)
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("IMG_1.jpg"))
        _ = try await fixture.backUp()
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(3))
        #expect(try await fixture.backUp().conflicts.map(\.path.description) == ["IMG_1.jpg"])
    }

    @Test("an emptied folder is reported as a problem, and its files are not read or replaced when they return")
    func emptied() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("a/IMG_2.jpg", PhotoBytes.jpeg(2))
        #expect(try await fixture.backUp().isComplete)
        let away = try TemporaryFolder()
        for name in ["IMG_1.jpg", "a"] {
            try FileManager.default.moveItem(atPath: fixture.folder.subpath(name), toPath: away.subpath(name))
        }
        for _ in 1...2 { #expect(try await fixture.backUp().problems == [.emptied]) }
        for name in ["IMG_1.jpg", "a"] {
            try FileManager.default.moveItem(atPath: away.subpath(name), toPath: fixture.folder.subpath(name))
        }
        let place = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        #expect(BackupJournal.load(place).entries.count == 2)
        #expect(try await fixture.backUp().isComplete)
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(3))
        #expect(try await fixture.backUp().conflicts.map(\.path.description) == ["IMG_1.jpg"])
        #expect(try await BackupFixture().backUp().isComplete, "a folder that was always empty is not a problem")
    }

    @Test("another device's different photo of the same name is kept as a conflict permanently")
    func twoDevices() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(1), modified: Date(timeIntervalSince1970: 10))
        _ = try await fixture.backUp()
        let other = try TemporaryFolder()
        try other.write("IMG_1.jpg", PhotoBytes.jpeg(2), modified: Date(timeIntervalSince1970: 20))
        let second = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, pause: .none,
            now: { Date(timeIntervalSince1970: 0) }
        )
        let summary = try await second.run(folder: other.path) { _ in }
        #expect(summary.conflicts.map(\.path.description) == ["IMG_1.jpg"])
        #expect(try await fixture.catalog().count == 2)
        let again = try await fixture.backUp()
        #expect(again.conflicts.isEmpty)
        #expect(try await fixture.catalog().count == 2)
    }

    @Test("with more than one page stored, only contents unknown to the catalog are checked")
    func manyStored() async throws {
        var fixture = try BackupFixture()
        fixture.settings.checkedContents = 0
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await fixture.backUp()
        for index in 0..<1001 {
            let digits = String(index)
            let md5 = String(repeating: "0", count: 32 - digits.count) + digits
            let key = ObjectKey(known: StorageLayout.photo(.bob, md5: md5))
            try await fixture.store.put(key, ByteBuffer(string: "x"), if: .always)
        }
        try fixture.folder.write("b.jpg", PhotoBytes.jpeg(2))
        fixture.store.clearLog()
        let summary = try await fixture.backUp()
        #expect(summary.progress.uploadedFiles == 1)
        #expect(fixture.store.count("head") == 1)
    }

    @Test("the final progress counts every file and byte")
    func progress() async throws {
        let fixture = try BackupFixture()
        for index in 0..<9 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let last = Mutex(BackupProgress())
        let summary = try await fixture.backUp { event in
            if case .finished(_, _, let progress) = event { last.withLock { $0 = progress } }
        }
        #expect(last.withLock { $0 } == summary.progress)
        #expect(summary.progress.finishedFiles == summary.progress.totalFiles)
        #expect(summary.progress.finishedBytes == summary.progress.totalBytes)
    }
}
