import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Thumbnails of a backup, with a test thumbnail maker.
@Suite struct ThumbnailBackupTests {
    /// Makes a thumbnail of each JPEG except those set to fail.
    private final class Maker: PictureMaker {
        let requestedPhotos = Mutex<[String]>([])
        let failing: Set<String>
        let isMissing: Bool
        let before: @Sendable (String) -> Void

        init(
            failing: Set<String> = [], isMissing: Bool = false, before: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.failing = failing
            self.isMissing = isMissing
            self.before = before
        }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg }

        func lacksProgram(for type: MediaType) -> Bool { type == .gif }

        let ends = Mutex(0)

        func endIdleProcesses() async { ends.withLock { $0 += 1 } }

        let qualities = Mutex<[Int?]>([])

        func pictures(of place: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            qualities.withLock { $0.append(preview) }
            let name = place.split(separator: "/").last.map(String.init) ?? ""
            requestedPhotos.withLock { $0.append(name) }
            before(place)
            guard !isMissing else { throw .missing }
            let jpeg = ByteBuffer(bytes: PhotoBytes.picture(0))
            guard !failing.contains(name), let thumbnail = Thumbnail(jpeg: jpeg) else { throw .notMade }
            return Pictures(
                thumbnail: thumbnail, preview: preview == nil ? nil : Preview(jpeg: jpeg),
                color: PictureColor(red: 1, green: 2, blue: 3))
        }
    }

    private func backUp(
        _ fixture: BackupFixture, _ maker: Maker?, missing: Bool = false, previews: Int? = nil
    ) async throws -> BackupSummary {
        var settings = BackupSettings()
        settings.makesMissingThumbnails = missing
        settings.previewQuality = previews
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, settings: settings, thumbnails: maker,
            pause: .none, now: { Date(timeIntervalSince1970: 0) })
        return try await backup.run(folder: fixture.folder.path) { _ in }
    }

    private func paths(_ names: [String]) -> [LibraryPath] { names.compactMap { LibraryPath($0) } }

    @Test("a thumbnail is stored under its photo's MD5 after the photo, and types that lack a program are counted")
    func stored() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("b.gif", Array("GIF89a and more".utf8))
        let maker = Maker()
        let summary = try await backUp(fixture, maker)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 1, lackingProgram: 1))
        #expect(maker.ends.withLock { $0 } == 1)
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1))).description
        let writes = fixture.store.log.filter { $0.hasPrefix("write ") && !$0.contains("catalogs") }
        let photo = try #require(writes.firstIndex(of: "write \(StorageLayout.photo(.bob, md5: md5))"))
        let thumbnail = try #require(writes.firstIndex(of: "write \(StorageLayout.thumbnail(.bob, md5: md5))"))
        #expect(photo < thumbnail && writes.count == 3)
        let key = ObjectKey(known: StorageLayout.thumbnail(.bob, md5: md5))
        #expect(try await fixture.store.memory.head(key)?.attributes["content-type"] == "image/jpeg")
        #expect(try await backUp(fixture, Maker()).thumbnails == ThumbnailCount())
    }

    /// A JPEG that is large enough for a preview.
    private func largePhoto(_ number: Int) -> [UInt8] {
        PhotoBytes.jpeg(number) + [UInt8](repeating: 0, count: 2 << 20)
    }

    private func hasPreview(_ photo: [UInt8], _ fixture: BackupFixture) async throws -> Bool {
        let md5 = ContentDigest(of: ByteBuffer(bytes: photo)).description
        let info = try await fixture.store.memory.head(ObjectKey(known: StorageLayout.preview(.bob, md5: md5)))
        if let info { #expect(info.attributes["content-type"] == "image/jpeg") }
        return info != nil
    }

    @Test("a preview is stored after the thumbnail, and a small photo has none")
    func previews() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", largePhoto(1))
        try fixture.folder.write("b.jpg", PhotoBytes.jpeg(2))
        let maker = Maker()
        let summary = try await backUp(fixture, maker, previews: 70)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 2, previews: 1))
        #expect(maker.qualities.withLock { Set($0) } == [70, nil])
        let (large, small) = (
            try await hasPreview(largePhoto(1), fixture), try await hasPreview(PhotoBytes.jpeg(2), fixture)
        )
        #expect(large && !small)
        let writes = fixture.store.log.filter { $0.hasPrefix("write ") }
        let md5 = ContentDigest(of: ByteBuffer(bytes: largePhoto(1))).description
        let thumbnail = try #require(writes.firstIndex(of: "write \(StorageLayout.thumbnail(.bob, md5: md5))"))
        let preview = try #require(writes.firstIndex(of: "write \(StorageLayout.preview(.bob, md5: md5))"))
        #expect(thumbnail < preview)
    }

    @Test("the color of a thumbnail is committed with its photo, also for a copy, and later for a thumbnail made later")
    func colors() async throws {
        let fixture = try BackupFixture()
        for name in ["a.jpg", "b.jpg"] { try fixture.folder.write(name, PhotoBytes.jpeg(1)) }
        try fixture.folder.write("c.jpg", PhotoBytes.jpeg(2))
        #expect(try await backUp(fixture, Maker(failing: ["c.jpg"])).isComplete)
        #expect(fixture.store.count("put", StorageLayout.catalogPointer(.bob)) == 1)
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        let before = try await catalogs.load().catalog.entries.map(\.media.color?.description)
        #expect(before == ["010203", "010203", nil])
        #expect(try await backUp(fixture, Maker(), missing: true).isComplete)
        let after = try await catalogs.load().catalog.entries.map(\.media.color?.description)
        #expect(after == ["010203", "010203", "010203"])
    }

    @Test("missing previews of stored photos are made later, unless previews are off")
    func missingPreviews() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", largePhoto(1))
        try fixture.folder.write("b.jpg", PhotoBytes.jpeg(2))
        #expect(try await backUp(fixture, Maker()).thumbnails == ThumbnailCount(stored: 2))
        #expect(try await backUp(fixture, Maker(), missing: true).thumbnails == ThumbnailCount())
        let later = try await backUp(fixture, Maker(), missing: true, previews: 80)
        #expect(later.thumbnails == ThumbnailCount(stored: 1, previews: 1))
        #expect(try await hasPreview(largePhoto(1), fixture))
        #expect(try await backUp(fixture, Maker(), missing: true, previews: 80).thumbnails == ThumbnailCount())
    }

    @Test("a photo without a thumbnail is backed up")
    func notMade() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("b.jpg", PhotoBytes.jpeg(2))
        let summary = try await backUp(fixture, Maker(failing: ["a.jpg"]))
        #expect(summary.isComplete && summary.progress.uploadedFiles == 2)
        #expect(summary.thumbnails == ThumbnailCount(stored: 1, notMade: paths(["a.jpg"])))
    }

    @Test("without the tool's library, uploaded photos that it supports are counted, and none as failed")
    func missingLibrary() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("b.avi", Array("RIFF".utf8) + PhotoBytes.big32(1) + Array("AVI and more".utf8))
        let summary = try await backUp(fixture, Maker(isMissing: true))
        #expect(summary.isComplete && summary.progress.uploadedFiles == 2)
        #expect(summary.thumbnails == ThumbnailCount(lackingTool: 1))
    }

    @Test("missing thumbnails of stored photos are made later, each once")
    func missing() async throws {
        let fixture = try BackupFixture()
        for number in 1...4 { try fixture.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        try fixture.folder.write("copy of 1.jpg", PhotoBytes.jpeg(1))
        #expect(try await backUp(fixture, nil).thumbnails == ThumbnailCount())
        let none = Maker()
        #expect(
            try await backUp(fixture, none).thumbnails == ThumbnailCount()
                && none.requestedPhotos.withLock { $0.isEmpty }
        )
        let maker = Maker(failing: ["2.jpg"])
        let summary = try await backUp(fixture, maker, missing: true)
        #expect(summary.isComplete && summary.progress.alreadyStoredFiles == 5)
        #expect(summary.thumbnails == ThumbnailCount(stored: 3, notMade: paths(["2.jpg"])))
        let again = Maker()
        #expect(try await backUp(fixture, again, missing: true).thumbnails == ThumbnailCount(stored: 1))
        #expect(again.requestedPhotos.withLock { $0 } == ["2.jpg"])
    }

    @Test("a photo that is refused because of the quota leaves no thumbnail")
    func refused() async throws {
        let fixture = try BackupFixture { verb, key in
            verb == "write" && key.hasPrefix("photos/") ? .quotaExceeded : nil
        }
        for number in 1...3 { try fixture.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        let summary = try await backUp(fixture, Maker())
        #expect(summary.filesOverQuota == 3 && summary.thumbnails == ThumbnailCount())
        let thumbnails = try await fixture.store.memory.list(
            prefix: StorageLayout.thumbnails(.bob), after: nil, limit: 10)
        #expect(thumbnails.objects.isEmpty)
    }

    @Test("a thumbnail that is refused because of the quota does not fail its photo")
    func thumbnailRefused() async throws {
        let fixture = try BackupFixture { verb, key in
            verb == "write" && key.hasPrefix("thumbnails/") ? .quotaExceeded : nil
        }
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let summary = try await backUp(fixture, Maker())
        #expect(summary.isComplete && summary.progress.uploadedFiles == 1)
        #expect(summary.thumbnails == ThumbnailCount(notMade: paths(["a.jpg"])))
    }

    @Test("a failed thumbnail upload does not fail a stored photo, and a new one is retried")
    func storeFails() async throws {
        let failures = Mutex(1)
        let fixture = try BackupFixture { verb, key in
            guard verb == "write", key.hasPrefix("thumbnails/") else { return nil }
            return failures.withLock { left in
                guard left > 0 else { return nil }
                left -= 1
                return .unavailable("away")
            }
        }
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let first = try await backUp(fixture, Maker())
        #expect(first.isComplete && first.thumbnails.stored == 1 && first.progress.uploadedFiles == 1)
        try fixture.folder.write("b.jpg", PhotoBytes.jpeg(2))
        _ = try await backUp(fixture, nil)
        failures.withLock { $0 = 100 }
        let later = try await backUp(fixture, Maker(), missing: true)
        #expect(later.isComplete && later.thumbnails == ThumbnailCount(notMade: paths(["b.jpg"])))
    }

    @Test("a photo changed during the backup has the thumbnail of its final content")
    func changed() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let isFirst = Mutex(true)
        let folder = fixture.folder
        let maker = Maker { _ in
            let writes = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if writes { try? folder.write("a.jpg", PhotoBytes.jpeg(7)) }
        }
        let summary = try await backUp(fixture, maker)
        #expect(summary.isComplete)
        for (content, isThere) in [(1, false), (7, true)] {
            let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(content))).description
            let head = try await fixture.store.memory.head(ObjectKey(known: StorageLayout.thumbnail(.bob, md5: md5)))
            #expect((head != nil) == isThere)
        }
    }
}
