import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Syncs of a removed disk and interrupted syncs") struct SyncDiskTests {
    private let fixture: SyncFixture
    private var library: SyncLibrary { fixture.library }
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    @Test("files lost by a removed disk do not count as deleted")
    func pulled() async throws {
        try await fixture.addPhotos()
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(7, length: 700))
        for device in [laptop, phone] {
            _ = try await device.sync()
            try device.disk.forget()
        }
        for device in [laptop, phone, laptop] {
            let summary = try await device.sync()
            #expect(summary.trashedEntries.isEmpty && summary.trashedFiles.isEmpty && summary.restoredEntries == 0)
        }
        #expect(try await library.photos().count == 4)
        #expect(try laptop.photos() == phone.photos() && laptop.photos().count == 4)
    }

    @Test("a photo trashed elsewhere does not return with a removed disk")
    func pulledTrash() async throws {
        try await fixture.addPhotos()
        try laptop.remove("1.jpg")
        _ = try await laptop.sync()
        #expect(try await phone.sync().trashedFiles.count == 1)
        try phone.disk.forget()
        #expect(try await phone.sync().restoredEntries == 0)
        #expect(try await library.photos().count == 2 && phone.photos().count == 2)
    }

    @Test("state of this device that cannot be written is no error of the folder")
    func state() async throws {
        try await fixture.addPhotos()
        let path = SyncState.path(in: phone.state.path, user: .bob, root: phone.folder.path)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        await #expect(throws: SyncError.state(.wrongKind, path: path)) { _ = try await phone.sync() }
        await #expect(throws: SyncError.folder(.missing)) { _ = try await phone.sync(in: "\(phone.folder.path)/none") }
    }

    @Test("files that a disk fails to store are not recorded as synced, and the reason is reported")
    func broken() async throws {
        try await fixture.addPhotos()
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(7, length: 700))
        await #expect(throws: SyncError.folder(.system(5))) {
            _ = try await laptop.sync(flushing: { () throws(FileError) in throw .system(5) })
        }
        try laptop.remove("new.jpg")
        #expect(try await laptop.sync().trashedEntries.isEmpty, "the file was added to the library and not synced")
        let summary = try await phone.sync(flushing: { () throws(FileError) in throw .system(5) })
        #expect(summary.ending == .stopped(.folder(.system(5))))
        try phone.remove("new.jpg")
        #expect(try await phone.sync().trashedEntries.isEmpty)
        #expect(try phone.photos() == laptop.photos() && phone.photos().count == 4)
    }

    @Test("a sync cancelled while files are moved leaves none in the folder's trash")
    func cancelled() async throws {
        try await fixture.addPhotos()
        for number in 0..<3 { try laptop.move("\(number).jpg", to: "summer/\(number).jpg") }
        _ = try await laptop.sync()
        let running = Mutex<Task<SyncSummary, any Error>?>(nil)
        let (start, go) = AsyncStream<Void>.makeStream()
        let task = Task { [phone] in
            for await _ in start {}
            return try await phone.sync(flushing: { running.withLock { $0?.cancel() } })
        }
        running.withLock { $0 = task }
        go.finish()
        let summary = try await task.value
        #expect(summary.ending == .cancelled && summary.movedFiles == 3)
        #expect(try phone.trash().isEmpty)
        #expect(try phone.photos() == laptop.photos())
        #expect(try await !phone.sync().didSomething)
    }

    @Test("a file changed just after its download is read again")
    func changedAfter() async throws {
        let folder = laptop.folder
        let (old, new) = (PhotoBytes.jpeg(1), PhotoBytes.jpeg(2))
        let past = Date(timeIntervalSince1970: 1_600_000_000)
        try folder.write("same.jpg", old, modified: past)
        try folder.write("other.jpg", new)
        let held = try laptop.lockFolder()
        var placed = PlacedFiles(
            folder: held.folder, syncState: held.syncState, journal: held.opened.journal, now: { SyncDevice.now },
            flush: laptop.makeSync().flush)
        let md5 = ContentDigest(of: ByteBuffer(bytes: old))
        let date = Timestamp(seconds: 1_600_000_000, nanoseconds: 0)
        for name in ["same.jpg", "other.jpg"] {
            let path = try #require(LibraryPath(name))
            let entry = CatalogEntry(
                path: path, md5: md5, size: Int64(old.count), modified: date, type: .jpeg, media: MediaFacts())
            placed.record(SyncedFile(path: path, md5: md5, entryPath: path), entry, modified: date)
        }
        try await placed.save()
        #expect(held.opened.journal.entries.keys.map(\.description) == ["same.jpg"])
        held.release()
        let memory = try SyncState(SyncState.path(in: laptop.state.path, user: .bob, root: folder.path))
        #expect(memory.files.count == 2, "both files are recorded")
    }

    @Test("the empty mount point of a disk is detected even if the first sync was killed")
    func killedFirstSync() async throws {
        for number in 0..<3 { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        _ = try await laptop.sync()
        let flushes = Mutex(0)
        // The folder's mark is flushed, and the downloaded files are not recorded.
        _ = try await phone.sync(flushing: { () throws(FileError) in
            let number = flushes.withLock { count in
                count += 1
                return count
            }
            if number > 1 { throw .system(5) }
        })
        #expect(try phone.photos().count == 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: phone.folder.path)
        for name in names { try phone.remove(name) }
        let summary = try await phone.sync()
        #expect(summary.isAnotherFolder && summary.withheldEntries == 3)
        #expect(try phone.photos().isEmpty)
        #expect(try await library.photos().count == 3)
    }

    @Test("a missing photo that may have been renamed to an unreadable file does not count as deleted")
    func renamedUnreadable() async throws {
        try await fixture.addPhotos()
        try laptop.remove("1.jpg")
        let held = try laptop.lockFolder()
        defer { held.release() }
        let sync = laptop.makeSync()
        let catalog = try await library.catalog()
        let length = Int64(PhotoBytes.jpeg(1).count)
        for (name, size, isRemoved) in [
            ("2.jpg", length, true), ("other.jpg", length, false), ("other.jpg", length + 1, true),
        ] as [(String, Int64, Bool)] {
            var content = FolderContent()
            content.problems = [ScanProblem(path: name, reason: .file(.system(5)), size: size)]
            let run = SyncRun(sync: sync, locked: held, content: content, since: SyncDevice.now, report: { _ in })
            let path = try #require(LibraryPath("1.jpg"))
            let removal = try #require(run.syncState.files[path])
            let removed = SyncLosses(run, local: run.local)
                .confirmedRemovals(of: SyncPlan(removals: [removal]), catalog).confirmed
            #expect(removed.isEmpty == !isRemoved, "\(name) \(size)")
        }
    }

    @Test("a folder replaced by another one is detected")
    func replaced() throws {
        let outer = try TemporaryFolder()
        try outer.write("disk/a.jpg", PhotoBytes.jpeg(1))
        let place = outer.subpath("disk")
        let handle = try FolderHandle(place)
        #expect(try handle.isLocated(at: place))
        try FileManager.default.moveItem(atPath: place, toPath: outer.subpath("other"))
        #expect(throws: FileError.missing) { try handle.isLocated(at: place) }
        try outer.write("disk/a.jpg", PhotoBytes.jpeg(1))
        let isStill = try handle.isLocated(at: place)
        #expect(!isStill)
    }
}
