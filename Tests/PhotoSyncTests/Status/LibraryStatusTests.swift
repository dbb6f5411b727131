import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct LibraryStatusTests {
    private func status(
        _ fixture: BackupFixture, folder: String?, report: @escaping @Sendable (ReadingProgress) -> Void = { _ in }
    ) async throws -> LibraryStatus {
        try await LibraryStatus.read(
            store: fixture.store, user: .bob, of: folder.map { .folder($0, FolderFilter(), into: nil) } ?? .nowhere,
            stateFolder: fixture.state.path, pause: .none,
            report: report
        )
    }

    @Test("stored, waiting and only stored photos are counted without reading a photo")
    func counts() async throws {
        let fixture = try BackupFixture()
        for index in 0..<4 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        try fixture.folder.write("copy.jpg", PhotoBytes.jpeg(0))
        _ = try await fixture.backUp()
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("3.jpg"))
        try fixture.folder.write("new.jpg", PhotoBytes.jpeg(9))
        let status = try await status(fixture, folder: fixture.folder.path)
        #expect(status.storedFiles == 5)
        #expect(status.storedBytes == (0..<4).reduce(0) { $0 + Int64(PhotoBytes.jpeg($1).count) })
        #expect(status.duplicateFiles == 1)
        #expect(status.localFiles == 5)
        #expect(status.backedUpFiles == 4)
        #expect(status.waitingFiles == 1)
        #expect(status.onlyStoredFiles == 1)
    }

    @Test("on a device without a journal only files of a stored length are read for the same counts")
    func unknownFolder() async throws {
        let fixture = try BackupFixture()
        for index in 0..<4 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        let other = try TemporaryFolder()
        for index in 1..<4 { try other.write("copy \(index).jpg", PhotoBytes.jpeg(index)) }
        try other.write("same length.jpg", PhotoBytes.jpeg(8))
        try other.write("longer.jpg", PhotoBytes.jpeg(9, length: 900))
        let last = Mutex<ReadingProgress?>(nil)
        let status = try await status(fixture, folder: other.path) { progress in last.withLock { $0 = progress } }
        #expect([status.localFiles, status.backedUpFiles, status.waitingFiles].elementsEqual([5, 3, 2]))
        #expect(status.onlyStoredFiles == 1)
        #expect(last.withLock { $0?.finishedFiles } == 4)
        #expect(last.withLock { $0?.totalFiles } == 4)
    }

    @Test("a file that disappears while it is read is a problem and not a waiting file")
    func vanishes() async throws {
        let fixture = try BackupFixture()
        for index in 0..<6 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        let other = try TemporaryFolder()
        for index in 0..<6 { try other.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let status = try await status(fixture, folder: other.path) { progress in
            // Four files are read concurrently: the last one is not open yet.
            if progress.finishedFiles == 1 { try? FileManager.default.removeItem(atPath: other.subpath("5.jpg")) }
        }
        #expect(status.problems.map(\.path) == ["5.jpg"])
        #expect([status.backedUpFiles, status.waitingFiles].elementsEqual([5, 0]))
    }

    @Test("a trashed photo is not waiting for a backup, and no backup restores it")
    func trash() async throws {
        let fixture = try BackupFixture()
        for index in 0..<3 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        let version = try await catalogs.load()
        let entry = try #require(version.catalog.entries.first)
        _ = try await catalogs.commit([.trash(entry.path, entry.md5)], onto: version)
        let before = try await status(fixture, folder: fixture.folder.path)
        #expect([before.storedFiles, before.backedUpFiles, before.waitingFiles].elementsEqual([2, 2, 0]))
        #expect(before.trashedFiles == 1)
        _ = try await fixture.backUp()
        #expect(try await status(fixture, folder: fixture.folder.path) == before)
        // Under another name it is a different photo.
        try fixture.folder.write("copy.jpg", PhotoBytes.jpeg(0))
        let copied = try await status(fixture, folder: fixture.folder.path)
        #expect([copied.storedFiles, copied.backedUpFiles, copied.waitingFiles].elementsEqual([2, 2, 1]))
        _ = try await fixture.backUp()
        let after = try await status(fixture, folder: fixture.folder.path)
        #expect([after.storedFiles, after.backedUpFiles, after.waitingFiles].elementsEqual([3, 4, 0]))
    }

    @Test("without a folder only the store is counted")
    func withoutFolder() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await fixture.backUp()
        let status = try await status(fixture, folder: nil)
        #expect(status.storedFiles == 1)
        #expect(status.localFiles == 0)
        #expect(status.onlyStoredFiles == 1)
    }
}
