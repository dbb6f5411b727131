import Foundation
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Changes of a file that is shown beside another one, and of the other one.
struct SyncConflictNameTests {
    private let fixture: SyncFixture
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    /// Gives both devices two photos with the name 1.jpg.
    /// - Returns: The name under which the second one is shown.
    private func makeConflict() async throws -> String {
        try await fixture.addPhotos(3)
        try laptop.folder.write("1.jpg", PhotoBytes.jpeg(30))
        try phone.folder.write("1.jpg", PhotoBytes.jpeg(31))
        for _ in 0..<2 { try await fixture.syncBoth() }
        return try #require(try laptop.photos().keys.first { $0.contains(" (conflict ") })
    }

    /// Expects that a sync keeps the folder as it is, and gives the library and the other device its photos.
    private func expectKept() async throws {
        let photos = try laptop.photos()
        let predicted = try await laptop.sync(.dryRun)
        let done = try await laptop.sync()
        #expect(predicted.planned.count { $0.action == .trashInLibrary } == done.trashedEntries.count)
        #expect(try await fixture.library.photos() == photos && laptop.photos() == photos)
        #expect(try await phone.sync().isComplete)
        try await fixture.expectEqualPhotos()
    }

    @Test(
        "a photo that takes the other one's name stays in the library when another photo takes its own",
        arguments: [nil, 900] as [Int?])
    func renamed(_ length: Int?) async throws {
        let name = try await makeConflict()
        let bytes = try laptop.folder.read(name)
        try laptop.remove("1.jpg")
        try laptop.move(name, to: "1.jpg")
        try laptop.folder.write(name, length.map { PhotoBytes.jpeg(32, length: $0) } ?? PhotoBytes.jpeg(32))
        try await expectKept()
        #expect(try await fixture.library.photos()["1.jpg"] == bytes)
    }

    @Test("the library has both photos in any order of their files", arguments: [false, true])
    func anyOrder(isReversed: Bool) async throws {
        let name = try await makeConflict()
        try laptop.remove("1.jpg")
        try laptop.move(name, to: "1.jpg")
        try laptop.folder.write(name, PhotoBytes.jpeg(32))
        let held = try laptop.lockFolder()
        defer { held.release() }
        let folder = try FolderHandle(laptop.folder.path)
        var content = FolderContent()
        for name in ["1.jpg", name] {
            let (path, fingerprint) = (LibraryPath(name), try folder.fingerprint(of: name))
            content.files.append(
                ScannedFile(path: try #require(path), fingerprint: try #require(fingerprint), type: .jpeg))
        }
        let run = SyncRun(
            sync: laptop.makeSync(), locked: held, content: content, since: SyncDevice.now, report: { _ in })
        let files = try content.files.map { file in
            let bytes = try laptop.folder.read(file.path.description)
            return CatalogEntry(
                path: file.path, md5: ContentDigest(of: ByteBuffer(bytes: bytes)), size: Int64(bytes.count),
                modified: file.fingerprint.modified, type: .jpeg, media: MediaFacts())
        }
        var catalog = try await fixture.library.catalog()
        let mapping = SyncChangeMapping(run.syncState.files, run.local)
        let changes = (isReversed ? files.reversed() : files).flatMap { mapping.changes(for: $0, in: catalog) }
        catalog.join(Catalog(changes, after: catalog.highestCounter, by: DeviceTag(value: 1), trashed: 1))
        for file in files { #expect(catalog.holds(file.path, file.md5)) }
    }

    @Test("two photos that swap their names both stay")
    func swapped() async throws {
        let name = try await makeConflict()
        try laptop.move("1.jpg", to: "kept.jpg")
        try laptop.move(name, to: "1.jpg")
        try laptop.move("kept.jpg", to: name)
        try await expectKept()
    }

    @Test("an edit of the photo that is shown beside another one replaces it", arguments: [false, true])
    func edited(_ isOtherEdited: Bool) async throws {
        let name = try await makeConflict()
        try laptop.folder.write(name, PhotoBytes.jpeg(32))
        if isOtherEdited { try laptop.folder.write("1.jpg", PhotoBytes.jpeg(33, length: 901)) }
        try await expectKept()
    }
}
