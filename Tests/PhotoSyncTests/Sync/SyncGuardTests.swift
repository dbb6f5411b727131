import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Sync safeguards") struct SyncGuardTests {
    private let fixture: SyncFixture
    private var library: SyncLibrary { fixture.library }
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    @Test("more removals than the threshold are held on either side, and the rest is synced")
    func many() async throws {
        try await fixture.addPhotos(30)
        for number in 0..<21 { try laptop.remove("\(number).jpg") }
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(40, length: 900))
        let held = try await laptop.sync()
        #expect(held.withheldEntries == 21 && held.trashedEntries.isEmpty && held.addedEntries == 1 && !held.isComplete)
        #expect(try await library.photos().count == 31)
        #expect(try laptop.photos().count == 10, "missing files are not restored")
        #expect(try await laptop.sync(.confirmingRemovals).trashedEntries.count == 21)
        let other = try await phone.sync()
        #expect(other.withheldFiles == 21 && other.trashedFiles.isEmpty && other.toFolder.progress.restoredFiles == 1)
        #expect(try await phone.sync(.confirmingRemovals).trashedFiles.count == 21)
        #expect(try phone.photos() == laptop.photos())
    }

    @Test("a renamed folder of any size does not count as removed")
    func renamed() async throws {
        for number in 0..<30 { try laptop.folder.write("a/\(number).jpg", PhotoBytes.jpeg(number)) }
        try await fixture.syncBoth()
        try laptop.move("a", to: "b")
        let summary = try await laptop.sync()
        #expect(summary.isComplete && summary.withheldEntries == 0 && summary.trashedEntries.isEmpty)
        let other = try await phone.sync()
        #expect(other.movedFiles == 30 && other.isComplete)
        #expect(try phone.photos() == laptop.photos())
        #expect(!FileManager.default.fileExists(atPath: phone.folder.subpath("a")), "emptied folders are removed")
    }

    @Test("another folder is not synced until it contains all synced files")
    func unmounted() async throws {
        try await fixture.addPhotos(3)
        try phone.folder.write("new.jpg", PhotoBytes.jpeg(50, length: 950))
        _ = try await phone.sync()
        for name in try FileManager.default.contentsOfDirectory(atPath: laptop.folder.path) {
            try FileManager.default.removeItem(atPath: laptop.folder.subpath(name))
        }
        try laptop.folder.write("0.jpg", PhotoBytes.jpeg(60, length: 960))
        let other = try await laptop.sync()
        #expect(other.isAnotherFolder && other.withheldEntries == 2 && !other.didSomething && !other.isComplete)
        #expect(try laptop.folder.files() == ["0.jpg"])
        #expect(try await library.photos()["0.jpg"] == PhotoBytes.jpeg(0))
        for number in 0...2 { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        let back = try await laptop.sync()
        #expect(back.isComplete && back.toFolder.progress.restoredFiles == 1 && back.trashedEntries.isEmpty)
        try laptop.remove("2.jpg")
        #expect(try await laptop.sync().trashedEntries.count == 1)
    }

    @Test("an emptied folder is not synced until the user confirms it")
    func empty() async throws {
        try await fixture.addPhotos(3)
        try phone.folder.write("new.jpg", PhotoBytes.jpeg(50, length: 950))
        _ = try await phone.sync()
        for number in 0..<3 { try laptop.remove("\(number).jpg") }
        for _ in 0..<2 {
            let summary = try await laptop.sync()
            #expect(summary.withheldEntries == 3 && !summary.didSomething && !summary.isAnotherFolder)
        }
        #expect(try await laptop.sync(.confirmingRemovals).trashedEntries.count == 3)
        #expect(try laptop.photos().keys.sorted() == ["new.jpg"])
    }

    @Test("a file with an unusable name holds missing files of the same length until it is renamed")
    func unsure() async throws {
        try await fixture.addPhotos(3)
        try laptop.remove("1.jpg")
        try laptop.folder.write(TemporaryFolder.unusableName, PhotoBytes.jpeg(1))
        for settings in [SyncSettings.dryRun, SyncSettings()] {
            let summary = try await laptop.sync(settings)
            #expect(summary.trashedEntries.isEmpty && summary.withheldByNames == 1 && !summary.isComplete)
        }
        try laptop.remove(TemporaryFolder.unusableName)
        let summary = try await laptop.sync()
        #expect(summary.trashedEntries.count == 1 && summary.withheldByNames == 0)
    }

    @Test("a file with an unusable name and another length holds no missing files")
    func unusableNameOfAnotherLength() async throws {
        try await fixture.addPhotos(3)
        try laptop.remove("1.jpg")
        try laptop.folder.write(TemporaryFolder.unusableName, PhotoBytes.jpeg(70, length: 970))
        let summary = try await laptop.sync()
        #expect(summary.trashedEntries.count == 1 && summary.withheldByNames == 0 && !summary.isComplete)
    }

    @Test("a renamed folder with an unusable name holds its files, an unreadable one only its own")
    func unsureFolder() async throws {
        for number in 0..<3 { try laptop.folder.write("2019/\(number).jpg", PhotoBytes.jpeg(number)) }
        for number in 3..<6 { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        try laptop.folder.write("2019/in/7.jpg", PhotoBytes.jpeg(7))
        _ = try await laptop.sync()
        let name = laptop.folder.subpath(TemporaryFolder.unusableName)
        #expect(rename(laptop.folder.subpath("2019"), name) == 0)
        let held = try await laptop.sync()
        #expect(held.trashedEntries.isEmpty && held.withheldByNames == 4)
        #expect(rename(name, laptop.folder.subpath("2019")) == 0)
        let content = FolderContent(problem: "lost+found", .file(.denied))
        let photos = LocalPhotos(content, FolderIgnores(root: "", filter: FolderFilter())) { _ in nil }
        func isUnsure(_ path: String) throws -> Bool { photos.isUncertain(try #require(LibraryPath(path))) }
        #expect(try isUnsure("lost+found/a.jpg") && isUnsure("lost+found"))
        #expect(try !isUnsure("a.jpg") && !isUnsure("lost+found2/a.jpg") && !isUnsure("lost"))
    }

    @Test("a gradual loss is held like a sudden one until the user confirms it")
    func slowly() async throws {
        try await fixture.addPhotos(100)
        for number in 0..<19 { try laptop.remove("\(number).jpg") }
        #expect(try await laptop.sync().trashedEntries.count == 19)
        for round in 1..<5 {
            for number in 0..<19 { try laptop.remove("\(round * 19 + number).jpg") }
            let summary = try await laptop.sync(now: SyncDevice.now.addingTimeInterval(Double(round) * 20_000))
            #expect(summary.trashedEntries.isEmpty && summary.withheldEntries == round * 19)
        }
        #expect(try await laptop.sync(.confirmingRemovals).trashedEntries.count == 76)
        try laptop.remove("95.jpg")
        #expect(try await laptop.sync().trashedEntries.count == 1, "confirmed removals do not count")
    }

    @Test("a file whose path is occupied by something else stays in the library")
    func blocked() async throws {
        try await fixture.addPhotos(3)
        try laptop.folder.write("1.jpg", [])
        let summary = try await laptop.sync()
        #expect(summary.trashedEntries.isEmpty && summary.blocked.count == 1 && !summary.isComplete)
        #expect(try await library.photos().count == 3)
    }

    @Test("a folder replaced by a link keeps its photos in the library")
    func linkedFolder() async throws {
        for index in 0..<3 { try laptop.folder.write("2019/\(index).jpg", PhotoBytes.jpeg(index)) }
        try laptop.folder.write("other.jpg", PhotoBytes.jpeg(9))
        _ = try await laptop.sync()
        let elsewhere = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: laptop.folder.subpath("2019"), toPath: elsewhere.subpath("2019"))
        try laptop.folder.link("2019", to: elsewhere.subpath("2019"))
        let summary = try await laptop.sync()
        #expect(summary.trashedEntries.isEmpty && summary.blocked.map(\.path.description) == ["2019"])
        #expect(try await library.photos().count == 4)
    }

    @Test("a file changed just now is left to the next sync")
    func unfinished() async throws {
        try await fixture.addPhotos(1)
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(5))
        let summary = try await laptop.sync(now: Date())
        #expect(summary.waitingFiles == 1 && summary.addedEntries == 0)
        #expect(try await laptop.sync().addedEntries == 1)
    }

    @Test("a clock set back by a day does not block a sync")
    func clock() async throws {
        try await fixture.addPhotos(1)
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(5))
        let yesterday = Date().addingTimeInterval(-86_400)
        #expect(try await laptop.sync(now: yesterday).addedEntries == 1)
        #expect(try await phone.sync(now: yesterday).toFolder.progress.restoredFiles == 1)
        for device in [laptop, phone] { #expect(try await !device.sync(now: yesterday).didSomething) }
        #expect(try phone.photos() == laptop.photos())
    }

    @Test("a second concurrent sync of a folder is refused")
    func twice() async throws {
        let interrupting = FakeObjectStore { [laptop] verb, _ in
            guard verb == "get" else { return nil }
            await #expect(throws: SyncError.underWay) { _ = try await laptop.sync() }
            return nil
        }
        _ = try await laptop.sync(through: interrupting)
        #expect(interrupting.count("get") > 0)
    }

    @Test("a file in the folder's trash is never overwritten")
    func trashTaken() async throws {
        try await fixture.addPhotos(2)
        try phone.folder.write(".photolala-trash/2079-07-08/1.jpg", PhotoBytes.jpeg(77))
        try laptop.remove("1.jpg")
        try await fixture.syncBoth()
        #expect(try Set(phone.trash()) == [PhotoBytes.jpeg(77), PhotoBytes.jpeg(1)])
    }

    @Test("a photo whose name is occupied is restored once under another name and not lost")
    func nameTaken() async throws {
        try laptop.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await laptop.sync()
        try phone.folder.write("a.jpg", Array("no photo".utf8))
        let summary = try await phone.sync()
        #expect(summary.toFolder.restoredBeside.count == 1)
        for _ in 0..<2 {
            let again = try await phone.sync()
            #expect(!again.didSomething && again.isEqual, "the photo is kept under another name")
        }
        #expect(try await library.photos().count == 1)
    }
}

@Suite("The sync journal") struct SyncStateTests {
    private let folder: TemporaryFolder
    private var path: String { folder.subpath("state/sync.journal") }

    init() throws { folder = try TemporaryFolder() }

    private func file(_ path: String, _ seed: Int, at entry: String? = nil) throws -> SyncedFile {
        SyncedFile(
            path: try #require(LibraryPath(path)), md5: ContentDigest(of: ByteBuffer(integer: seed)),
            entryPath: try #require(LibraryPath(entry ?? path)))
    }

    @Test("the last row of a path is used, and truncated rows are ignored")
    func lines() throws {
        let files = try [
            file("b\tc.jpg", 1), file("a.jpg", 2), file("é (conflict 1).jpg", 3, at: "é.jpg"), file("a.jpg", 4),
        ]
        let gone = try #require(LibraryPath("gone.jpg"))
        var memory: SyncState? = try SyncState(path)
        let lost = [SyncRow.removedCount(3, day: 99), .removedCount(5, day: 100)]
        let rows =
            files.map(SyncRow.inSync) + [.inSync(try file("gone.jpg", 5)), .removed(gone), .folder("mark")] + lost
        try memory?.apply(rows)
        let expected = [files[3], files[0], files[2]]
        #expect(memory.map { Array($0.files) } == expected)
        memory = nil
        try folder.write("state/sync.journal", try folder.read("state/sync.journal") + Array("01234567\t-\ta.j".utf8))
        let again = try SyncState(path)
        #expect(Array(again.files) == expected && again.markerText == "mark")
        #expect(again.removedCount(by: 100) == 8 && again.removedCount(by: 101) == 5 && again.removedCount(by: 98) == 0)
        #expect(again.files[files[2].path] == files[2] && again.files[gone] == nil)
    }

    @Test("a journal with many obsolete rows is compacted")
    func compacted() throws {
        var memory: SyncState? = try SyncState(path)
        let one = try file("a.jpg", 1)
        for _ in 0..<1500 { try memory?.write([.inSync(one)]) }
        memory = nil
        memory = try SyncState(path)
        #expect(try folder.read("state/sync.journal").count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(memory.map { Array($0.files) } == [one])
    }
    @Test("a journal that was cleared stays cleared")
    func forgotten() throws {
        var memory: SyncState? = try SyncState(path)
        try memory?.apply([.inSync(try file("a.jpg", 1)), .folder("mark"), .removedCount(1, day: 5)])
        memory?.clear()
        try memory?.rewrite()
        try memory?.apply([.inSync(try file("b.jpg", 2))])
        memory = nil
        memory = try SyncState(path)
        let found = try #require(memory)
        #expect(
            found.files.map(\.path.description) == ["b.jpg"] && found.markerText == nil
                && found.removedCount(by: 5) == 0)
    }
}

extension FolderContent {
    fileprivate init(problem path: String, _ reason: ScanProblem.Reason) {
        self.init()
        problems = [ScanProblem(path: path, reason: reason)]
    }
}
