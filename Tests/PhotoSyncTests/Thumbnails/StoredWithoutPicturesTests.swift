import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Backups of files that are stored without pictures, as a browser may have uploaded them.
@Suite struct StoredWithoutPicturesTests {
    private final class Maker: PictureMaker {
        let made = Mutex<[String]>([])
        let isMissing: Bool

        init(isMissing: Bool = false) { self.isMissing = isMissing }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg }
        func lacksProgram(for type: MediaType) -> Bool { type == .avi }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            made.withLock { $0.append(path.split(separator: "/").last.map(String.init) ?? "") }
            guard !isMissing else { throw .missing }
            guard let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(0))) else { throw .notMade }
            return Pictures(thumbnail: thumbnail, preview: nil, color: PictureColor(red: 1, green: 2, blue: 3))
        }
    }

    private func backUp(
        _ fixture: BackupFixture, _ maker: Maker?, missing: Bool = false
    ) async throws -> BackupSummary {
        var settings = BackupSettings()
        settings.makesMissingThumbnails = missing
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, settings: settings, thumbnails: maker,
            pause: .none,
            now: { Date(timeIntervalSince1970: 0) })
        return try await backup.run(folder: fixture.folder.path) { _ in }
    }

    private func thumbnail(_ number: Int) -> ObjectKey {
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(number)))
        return PictureKind.thumbnail.key(of: md5, .bob)
    }

    @Test func `a backup makes the missing picture of a file that it reads and finds stored, once`() async throws {
        let fixture = try BackupFixture()
        for name in ["1.jpg", "copy.jpg"] { try fixture.folder.write(name, PhotoBytes.jpeg(1)) }
        try fixture.folder.write("2.jpg", PhotoBytes.jpeg(2))
        // Another device stores them, one with a thumbnail.
        #expect(try await backUp(fixture, nil).isComplete)
        _ = try await fixture.store.memory.put(thumbnail(2), ByteBuffer(string: "there"), if: .always)
        let other = BackupFixture(like: fixture, state: try TemporaryFolder())
        let maker = Maker()
        let summary = try await backUp(other, maker)
        #expect(summary.isComplete && summary.progress.alreadyStoredFiles == 3)
        #expect(summary.thumbnails == ThumbnailCount(stored: 1))
        #expect(maker.made.withLock { $0.count } == 1)
        #expect(try await fixture.store.memory.head(thumbnail(1)) != nil)
        let colors = try await CatalogStore(store: fixture.store, user: .bob, pause: .none).load().catalog.entries
            .map(\.media.color?.description)
        #expect(colors.filter { $0 == "010203" }.count == 2)
    }

    @Test func `a tool that cannot run counts the stored photos without a thumbnail, and no unchanged ones`()
        async throws
    {
        let fixture = try BackupFixture()
        for name in ["1.jpg", "copy.jpg"] { try fixture.folder.write(name, PhotoBytes.jpeg(1)) }
        try fixture.folder.write("2.jpg", PhotoBytes.jpeg(2))
        #expect(try await backUp(fixture, nil).thumbnails == ThumbnailCount())
        _ = try await fixture.store.memory.put(thumbnail(2), ByteBuffer(string: "there"), if: .always)
        let other = BackupFixture(like: fixture, state: try TemporaryFolder())
        let summary = try await backUp(other, Maker(isMissing: true))
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(lackingTool: 1))
        #expect(try await backUp(other, Maker(isMissing: true)).thumbnails == ThumbnailCount())
    }

    @Test func `a tool that cannot run counts unchanged photos if missing thumbnails are wanted`() async throws {
        let fixture = try BackupFixture()
        for number in 1...3 { try fixture.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        #expect(try await backUp(fixture, nil).isComplete)
        _ = try await fixture.store.memory.put(thumbnail(2), ByteBuffer(string: "there"), if: .always)
        let summary = try await backUp(fixture, Maker(isMissing: true), missing: true)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(lackingTool: 2))
    }

    @Test func `without its program, a stored video counts if it has no thumbnail`() async throws {
        let fixture = try BackupFixture()
        let videos = (1...2).map { Array("RIFF".utf8) + PhotoBytes.big32($0) + Array("AVI and more".utf8) }
        for (number, video) in videos.enumerated() { try fixture.folder.write("\(number).avi", video) }
        #expect(try await backUp(fixture, nil).isComplete)
        let key = PictureKind.thumbnail.key(of: ContentDigest(of: ByteBuffer(bytes: videos[0])), .bob)
        _ = try await fixture.store.memory.put(key, ByteBuffer(string: "there"), if: .always)
        let other = BackupFixture(like: fixture, state: try TemporaryFolder())
        #expect(try await backUp(other, Maker()).thumbnails == ThumbnailCount(lackingProgram: 1))
    }

    @Test func `unchanged files are not read for pictures, and cost no request`() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("1.jpg", PhotoBytes.jpeg(1))
        #expect(try await backUp(fixture, nil).isComplete)
        let before = fixture.store.count("head", "\(thumbnail(1))")
        let maker = Maker()
        #expect(try await backUp(fixture, maker).thumbnails == ThumbnailCount())
        #expect(maker.made.withLock { $0.isEmpty } && fixture.store.count("head", "\(thumbnail(1))") == before)
    }

    @Test func `a store that does not answer about a picture leaves the backup complete`() async throws {
        let fixture = try BackupFixture { verb, key in
            verb == "head" && key.hasPrefix("thumbnails/") ? .unavailable("away") : nil
        }
        try fixture.folder.write("1.jpg", PhotoBytes.jpeg(1))
        #expect(try await backUp(fixture, nil).isComplete)
        let other = BackupFixture(like: fixture, state: try TemporaryFolder())
        let summary = try await backUp(other, Maker())
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount())
    }
}
