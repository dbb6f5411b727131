import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// What all paths of a content have in common.
@Suite struct SharedFactsTests {
    /// Finds a color and a duration in each video, and counts the files.
    private final class Maker: PictureMaker {
        let count = Mutex(0)
        let isMissing = false

        func canMake(_ type: MediaType) -> Bool { type == .avi || type == .jpeg }
        func statesDuration(of type: MediaType) -> Bool { type == .avi }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            count.withLock { $0 += 1 }
            guard let jpeg = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(0))) else { throw .notMade }
            return Pictures(
                thumbnail: jpeg, color: SharedFactsTests.color, duration: MediaDuration(milliseconds: 7))
        }
    }

    private static let color = PictureColor(red: 1, green: 2, blue: 3)
    private static let video = Array("RIFF".utf8) + PhotoBytes.big32(7) + Array("AVI and more".utf8)
    private static let known = MediaFacts(
        color: color, duration: MediaDuration(milliseconds: 9), camera: CameraName("A"))

    private func facts(_ store: FakeObjectStore) async throws -> [String] {
        try await CatalogStore(store: store.memory, user: .bob, pause: .none).load().catalog.entries
            .filter { $0.type == .avi }
            .map { entry in
                let (color, duration) = (entry.media.color?.description ?? "-", entry.media.duration?.milliseconds ?? 0)
                return "\(entry.path) \(color) \(duration) \(entry.media.camera?.description ?? "-")"
            }
    }

    private func fill(
        _ library: StoredLibrary, _ maker: Maker, _ selection: PhotoSelection = PhotoSelection()
    ) async throws -> PreviewFillSummary {
        let folder = try TemporaryFolder()
        let fill = PreviewFill(
            store: library.store, user: .bob, maker: maker, quality: 77, folder: folder.path + "/previews",
            unmadeFile: folder.path + "/failed", detailsFile: folder.path + "/read", tool: "1", pause: .none)
        return try await fill.run(selection) { _ in }
    }

    @Test(arguments: ["a.avi", "c.avi"])
    func `the creation of previews copies what one path has to the others, and fetches nothing`(
        known: String
    ) async throws {
        let library = StoredLibrary()
        try await library.add([(known, .avi, Self.video)], known: Self.known, withPictures: true)
        try await library.add([("b.avi", .avi, Self.video)])
        library.store.clearLog()
        let maker = Maker()
        let summary = try await fill(library, maker)
        #expect(summary.ending == .completed && summary.colored == 1 && summary.described == 0)
        #expect(maker.count.withLock { $0 } == 0 && library.store.count("read", "photos/") == 0)
        #expect(try await facts(library.store) == [known, "b.avi"].sorted().map { "\($0) 010203 9 A" })
    }

    @Test func `a path that is not selected gives its facts to one that is`() async throws {
        let library = StoredLibrary()
        try await library.add([("a.avi", .avi, Self.video)], known: Self.known, withPictures: true)
        try await library.add([("b.avi", .avi, Self.video)], known: MediaFacts(color: Self.color))
        var selection = PhotoSelection()
        selection.paths = ["b.avi"]
        let maker = Maker()
        let summary = try await fill(library, maker, selection)
        #expect(summary.colored == 0 && summary.described == 1 && maker.count.withLock { $0 } == 0)
        #expect(try await facts(library.store) == ["a.avi 010203 9 A", "b.avi 010203 9 A"])
    }

    @Test func `a content is decoded once for all its paths`() async throws {
        let library = StoredLibrary()
        try await library.add(["a.avi", "b.avi", "c.avi"].map { ($0, .avi, Self.video) })
        let maker = Maker()
        #expect(try await fill(library, maker).made == 1)
        #expect(maker.count.withLock { $0 } == 1)
        #expect(try await facts(library.store) == ["a.avi", "b.avi", "c.avi"].map { "\($0) 010203 7 -" })
    }

    private func backUp(_ fixture: BackupFixture, _ maker: Maker, commitAfter files: Int) async throws {
        var settings = BackupSettings()
        (settings.parallelFiles, settings.commitAfterFiles) = (1...1, files)
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, settings: settings, thumbnails: maker,
            pause: .none, now: { Date(timeIntervalSince1970: 0) })
        #expect(try await backup.run(folder: fixture.folder.path) { _ in }.isComplete)
    }

    @Test(arguments: [(0, 1), (0, 500), (8000, 1), (8000, 500)])
    func `a backup gives equal files the same facts, in one commit or several`(
        others: Int, commitAfter: Int
    ) async throws {
        let fixture = try BackupFixture()
        if others > 0 { try await fixture.writeLegacyCatalog(of: others) }
        for name in ["a.avi", "b.avi", "folder/c.avi"] { try fixture.folder.write(name, Self.video) }
        let maker = Maker()
        try await backUp(fixture, maker, commitAfter: commitAfter)
        #expect(maker.count.withLock { $0 } == 1)
        #expect(
            try await facts(fixture.store) == ["a.avi", "b.avi", "folder/c.avi"].map { "\($0) 010203 7 -" })
    }

    @Test func `a backup and the library share facts of a content that is stored`() async throws {
        let library = StoredLibrary()
        try await library.add([("old/a.avi", .avi, Self.video)], known: Self.known, withPictures: true)
        try await library.add([("old/b.avi", .avi, Self.video)])
        let fixture = try BackupFixture(store: library.store)
        try fixture.folder.write("new.avi", Self.video)
        let maker = Maker()
        try await backUp(fixture, maker, commitAfter: 500)
        #expect(maker.count.withLock { $0 } == 0)
        #expect(
            try await facts(library.store) == ["new.avi", "old/a.avi", "old/b.avi"].map { "\($0) 010203 9 A" })
    }
}
