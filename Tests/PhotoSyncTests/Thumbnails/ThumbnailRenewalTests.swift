import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoSync

/// Thumbnails of earlier versions, which have at most 256 pixels a side.
@Suite struct ThumbnailRenewalTests {
    /// Makes a thumbnail of 512 pixels, and records what it was made of.
    private final class Maker: PictureMaker {
        let files = Mutex<[[UInt8]]>([])
        let isMissing = false

        func canMake(_ type: MediaType) -> Bool { type == .jpeg || type == .heic }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
            files.withLock { $0.append(Array(bytes)) }
            guard let large = Thumbnail(jpeg: ByteBuffer(bytes: ThumbnailRenewalTests.large)) else { throw .notMade }
            return Pictures(
                thumbnail: large, preview: preview.flatMap { _ in Preview(jpeg: large.bytes) },
                color: PictureColor(red: 1, green: 2, blue: 3))
        }
    }

    private static let small = PhotoBytes.picture(1, width: 256, height: 192)
    private static let large = PhotoBytes.picture(2, width: 512, height: 384)
    private static let preview = PhotoBytes.picture(3, width: 2048, height: 1536)
    private static let heic = PhotoBytes.heic(exif: [])

    private let library = StoredLibrary()
    private let state: TemporaryFolder

    init() throws { state = try TemporaryFolder() }

    private func fill(_ maker: Maker, renews: Bool = true, device: String = "a") async throws -> PreviewFillSummary {
        let place = "\(state.path)/\(device)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let fill = PreviewFill(
            store: library.store, user: .bob, maker: maker, quality: 77, folder: "\(place)/previews",
            unmadeFile: "\(place)/failed", detailsFile: "\(place)/read", tool: "1", pause: .none)
        return try await fill.run(PhotoSelection(), renewals: renews ? "\(place)/renewed" : nil) { _ in }
    }

    private func put(_ kind: PictureKind, _ bytes: [UInt8], of photo: [UInt8]) async throws {
        let key = kind.key(of: ContentDigest(of: ByteBuffer(bytes: photo)), .bob)
        _ = try await library.store.memory.put(key, ByteBuffer(bytes: bytes), if: .always)
    }

    private func thumbnail(of photo: [UInt8]) async throws -> [UInt8]? {
        let key = PictureKind.thumbnail.key(of: ContentDigest(of: ByteBuffer(bytes: photo)), .bob)
        return try await library.store.memory.get(key, limit: 1 << 20).map { Array($0.bytes.readableBytesView) }
    }

    /// Adds three JPEGs with thumbnails, of which the last is large, and a HEIC with a preview, too.
    private func addPhotos() async throws {
        try await library.add((1...3).map { ("\($0).jpg", .jpeg, PhotoBytes.jpeg($0)) })
        try await library.add([("4.heic", .heic, Self.heic)])
        for number in 1...2 { try await put(.thumbnail, Self.small, of: PhotoBytes.jpeg(number)) }
        try await put(.thumbnail, Self.large, of: PhotoBytes.jpeg(3))
        try await put(.thumbnail, Self.small, of: Self.heic)
        try await put(.preview, Self.preview, of: Self.heic)
        library.store.clearLog()
    }

    @Test("small thumbnails are made again, of the preview if there is one, and large ones are kept")
    func renewed() async throws {
        try await addPhotos()
        let maker = Maker()
        let summary = try await fill(maker)
        #expect(summary.ending == .completed && summary.made == 3 && summary.renewed == 3)
        for photo in (1...3).map({ PhotoBytes.jpeg($0) }) + [Self.heic] {
            #expect(try await thumbnail(of: photo) == Self.large)
        }
        // The others are made of large thumbnails, for their colors.
        let files = maker.files.withLock { $0.filter { $0 != Self.large } }
        #expect(Set(files) == [PhotoBytes.jpeg(1), PhotoBytes.jpeg(2), Self.preview] && files.count == 3)
    }

    @Test("a second run reads and makes nothing, and another device only reads the first bytes")
    func resumed() async throws {
        try await addPhotos()
        #expect(try await fill(Maker()).renewed == 3)
        library.store.clearLog()
        let again = Maker()
        #expect(try await fill(again).renewed == 0)
        #expect(library.store.count("read", "thumbnails/") == 0 && again.files.withLock { $0.isEmpty })
        #expect(try await fill(again, device: "b").progress.totalFiles == 0)
        #expect(library.store.count("read", "thumbnails/") == 4)
        #expect(library.store.count("write", "thumbnails/") == 0)
    }

    @Test("without the option small thumbnails are left as they are")
    func unasked() async throws {
        try await addPhotos()
        #expect(try await fill(Maker(), renews: false).progress.totalFiles == 0)
        #expect(try await thumbnail(of: PhotoBytes.jpeg(1)) == Self.small)
        #expect(library.store.count("read", "thumbnails/") == 0)
    }

    @Test("a photo that is known to be small is not looked at")
    func smallPhoto() async throws {
        try await library.add(
            [("a.jpg", .jpeg, PhotoBytes.jpeg(1))], known: MediaFacts(width: 200, height: 256))
        try await put(.thumbnail, Self.small, of: PhotoBytes.jpeg(1))
        #expect(try await fill(Maker()).renewed == 0)
        #expect(library.store.count("read", "thumbnails/") == 0)
    }

    @Test("an old thumbnail stays if the new one cannot be stored, and the next run resumes")
    func refused() async throws {
        try await addPhotos()
        library.fail { verb, key in verb == "write" && key.hasPrefix("thumbnails/") ? .quotaExceeded : nil }
        let summary = try await fill(Maker())
        #expect(summary.renewed == 0 && summary.failures.count == 3)
        #expect(try await thumbnail(of: PhotoBytes.jpeg(1)) == Self.small)
        library.fail(nil)
        #expect(try await fill(Maker()).renewed == 3)
    }

    @Test("a store that fails ends the search, and the run makes nothing")
    func unavailable() async throws {
        try await library.add((1...20).map { ("\($0).jpg", .jpeg, PhotoBytes.jpeg($0)) }, withPictures: true)
        library.fail { verb, key in verb == "read" && key.hasPrefix("thumbnails/") ? .unavailable("503") : nil }
        let summary = try await fill(Maker())
        guard case .stopped(.storeUnavailable) = summary.ending else {
            Issue.record("\(summary)")
            return
        }
        #expect(summary.made == 0)
        library.fail(nil)
        #expect(try await fill(Maker()).renewed == 20)
    }
}
