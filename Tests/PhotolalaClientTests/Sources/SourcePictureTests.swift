import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Pictures of a source's photos, which are made of temporary copies.
@Suite("Pictures made of a source's photos") struct SourcePictureTests {
    /// Makes pictures of all JPEGs and films, and records the files.
    private final class Maker: PictureMaker {
        struct Call: Sendable {
            let path: String
            let bytes: Data
            /// The size in the file system, without holes.
            let stored: Int64
            let preview: Int?
        }

        let calls = Mutex<[Call]>([])
        let isMissing = false
        let fails: Bool

        init(fails: Bool = false) { self.fails = fails }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg || type == .quickTime }

        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            var status = stat()
            stat(path, &status)
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
            calls.withLock {
                $0.append(Call(path: path, bytes: bytes, stored: Int64(status.st_blocks) * 512, preview: preview))
            }
            let (small, large) = (PhotoBytes.picture(1), PhotoBytes.picture(2))
            guard !fails, let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: small)) else { throw .notMade }
            return Pictures(
                thumbnail: thumbnail, preview: preview == nil ? nil : Preview(jpeg: ByteBuffer(bytes: large)))
        }
    }

    private var fixture: SourceFixture
    private let maker = Maker()

    init() throws {
        fixture = try SourceFixture()
        fixture.maker = maker
        fixture.settings.previewQuality = 70
    }

    private func source(_ bytes: [UInt8], name: String = "a.jpg") -> StreamSource {
        let photo = PhotoResource(id: "photo", kind: .photo, name: name, modified: SourceFixture.taken)
        return StreamSource(
            id: "camera", assets: [PhotoAsset(id: "1", created: SourceFixture.taken, resources: [photo])]
        ) { _, _ in
            AsyncThrowingStream {
                for start in stride(from: 0, to: bytes.count, by: 300_001) {
                    $0.yield(Data(bytes[start..<min(start + 300_001, bytes.count)]))
                }
                $0.finish()
            }
        }
    }

    private func stored(_ kind: PictureKind, _ bytes: [UInt8]) async throws -> [UInt8]? {
        let key = kind.key(of: ContentDigest(of: ByteBuffer(bytes: bytes)), .bob)
        return try await fixture.store.memory.get(key, limit: 1 << 20).map { Array($0.bytes.readableBytesView) }
    }

    private var leftFiles: [String] {
        FileManager.default.enumerator(atPath: fixture.state.path + "/pictures/\(UserID.bob)")?
            .compactMap { $0 as? String } ?? []
    }

    @Test("a photo has a thumbnail and a preview, and a small one no preview", arguments: [600, 2 << 20, 9 << 20])
    func photo(length: Int) async throws {
        let bytes = PhotoBytes.jpeg(1, length: length)
        let summary = try await fixture.backUp(source(bytes))
        let isLarge = length > 600
        #expect(summary.isComplete && summary.progress.uploadedFiles == 1)
        #expect(summary.thumbnails == ThumbnailCount(stored: 1, previews: isLarge ? 1 : 0))
        #expect(try await stored(.thumbnail, bytes) == PhotoBytes.picture(1))
        #expect(try await stored(.preview, bytes) == (isLarge ? PhotoBytes.picture(2) : nil))
        let calls = maker.calls.withLock { $0 }
        #expect(calls.map(\.bytes) == [Data(bytes)] && calls.map(\.preview) == [isLarge ? 70 : nil])
        #expect(calls.allSatisfy { $0.path.hasSuffix(".jpg") } && leftFiles.isEmpty)
    }

    @Test("of a long video only the beginning and the end are copied")
    func video() async throws {
        let film =
            PhotoBytes.box("ftyp", Array("qt  ".utf8) + PhotoBytes.big32(0) + Array("qt  ".utf8))
            + PhotoBytes.box("mdat", (0..<20 << 20).map { UInt8(truncatingIfNeeded: $0 >> 7 | 1) })
            + PhotoBytes.box("moov", PhotoBytes.box("mvhd", PhotoBytes.big32(0)))
        let summary = try await fixture.backUp(source(film, name: "a.mov"))
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 1, previews: 1))
        let calls = maker.calls.withLock { $0 }
        let copy = try #require(calls.first)
        #expect(calls.count == 1 && copy.bytes.count == film.count)
        #expect(copy.bytes.prefix(8 << 20) == Data(film.prefix(8 << 20)))
        #expect(copy.bytes.suffix(4 << 20) == Data(film.suffix(4 << 20)))
        #expect(copy.bytes[10 << 20] == 0 && copy.stored < 14 << 20 && leftFiles.isEmpty)
    }

    @Test("a source's own pictures are used, and only a missing preview is made")
    func ownPictures() async throws {
        let source = FakePhotoSource()
        for id in ["1", "2", "3"] {
            source.add(id, PhotoBytes.jpeg(Int(id) ?? 0, length: 2 << 20))
            source.setThumbnail(of: "\(id)/photo", PhotoBytes.picture(20))
        }
        source.setThumbnail(of: "1/photo", pixels: 2048, PhotoBytes.picture(30))
        source.setThumbnail(of: "2/photo", pixels: 2048, Array("no picture".utf8))
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 3, previews: 3))
        for (number, preview) in [(1, 30), (2, 2), (3, 2)] {
            let photo = PhotoBytes.jpeg(number, length: 2 << 20)
            #expect(try await stored(.thumbnail, photo) == PhotoBytes.picture(20))
            #expect(try await stored(.preview, photo) == PhotoBytes.picture(preview))
        }
        #expect(maker.calls.withLock { $0.count } == 2)
    }

    @Test("a photo is backed up if nothing can be made of it", arguments: [true, false])
    func failures(makerFails: Bool) async throws {
        var fixture = fixture
        fixture.maker = Maker(fails: makerFails)
        // A file where the folder of copies would be.
        if !makerFails { try Data().write(to: URL(fileURLWithPath: fixture.state.path + "/pictures")) }
        let source = FakePhotoSource()
        source.add("1", PhotoBytes.jpeg(1, length: 2 << 20))
        source.add("2", PhotoBytes.jpeg(2))
        source.setThumbnail(of: "1/photo", PhotoBytes.picture(20))
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.progress.uploadedFiles == 2)
        #expect(summary.thumbnails.stored == 1 && summary.thumbnails.notMade.count == 1)
        #expect(try await stored(.thumbnail, PhotoBytes.jpeg(1, length: 2 << 20)) == PhotoBytes.picture(20))
    }

    @Test("a file above the limit is not read once more")
    func tooLong() async throws {
        var fixture = fixture
        fixture.settings.pictureCopyLimit = 9 << 20
        let source = FakePhotoSource()
        source.add("1", PhotoBytes.jpeg(1, length: 9 << 20 + 1))
        source.add("2", PhotoBytes.jpeg(2, length: 9 << 20 - 2))
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 1, previews: 1))
        #expect(source.reads.sorted() == ["1/photo", "1/photo", "2/photo", "2/photo", "2/photo"])
    }

    @Test("pictures of another version than the one that was read are not stored")
    func changed() async throws {
        let source = FakePhotoSource()
        let (first, second) = (PhotoBytes.jpeg(1, length: 9 << 20), PhotoBytes.jpeg(2, length: 9 << 20))
        source.add("1", first)
        source.setOnChunk { [source] _, chunk in
            // The copy is the second read.
            guard chunk == 0, source.reads.count == 2 else { return }
            source.add("1", second, modified: SourceFixture.taken + 60)
        }
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete)
        let (old, new) = (try await stored(.thumbnail, first), try await stored(.thumbnail, second))
        #expect(old == nil && new == PhotoBytes.picture(1))
        #expect(maker.calls.withLock { $0.map(\.bytes) } == [Data(second)] && leftFiles.isEmpty)
    }
}
