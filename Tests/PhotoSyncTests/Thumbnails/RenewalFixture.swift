import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization

@testable import PhotoSync

/// A library with thumbnails of this and of earlier versions, and devices that renew them.
struct RenewalFixture {
    /// Makes thumbnails of one picture, except of bytes that are no picture, and records what they were made of.
    final class Maker: PictureMaker {
        let files = Mutex<[[UInt8]]>([])
        let isMissing = false
        private let thumbnail: [UInt8]

        init(makes thumbnail: [UInt8] = RenewalFixture.large) { self.thumbnail = thumbnail }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg || type == .heic }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) ?? []
            files.withLock { $0.append(bytes) }
            guard bytes != RenewalFixture.undecodable, let made = Thumbnail(jpeg: ByteBuffer(bytes: thumbnail)) else {
                throw .notMade
            }
            return Pictures(
                thumbnail: made,
                preview: preview.flatMap { _ in Preview(jpeg: ByteBuffer(bytes: RenewalFixture.preview)) },
                color: PictureColor(red: 1, green: 2, blue: 3))
        }
    }

    static let small = PhotoBytes.picture(1, width: 256, height: 192)
    static let large = PhotoBytes.picture(2, width: 512, height: 384)
    static let preview = PhotoBytes.picture(3, width: 2048, height: 1536)
    /// A complete JPEG by its markers, of which the maker makes nothing.
    static let undecodable = PhotoBytes.picture(4, width: 2048, height: 1536)
    static let garbage = Array("garbage".utf8)
    static let heic = PhotoBytes.heic(exif: [])

    let library = StoredLibrary()
    private let state: TemporaryFolder

    init() throws { state = try TemporaryFolder() }

    func fill(
        _ maker: Maker, renews: Bool = true, verifies: Bool = false, device: String = "a"
    ) async throws -> PreviewFillSummary {
        let place = "\(state.path)/\(device)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let fill = PreviewFill(
            store: library.store, user: .bob, maker: maker, quality: 77, folder: "\(place)/previews",
            unmadeFile: "\(place)/failed", detailsFile: "\(place)/read", tool: "1", pause: .none)
        return try await fill.run(
            PhotoSelection(), verifies: verifies, renewals: renews ? "\(place)/renewed" : nil
        ) { _ in }
    }

    func put(_ kind: PictureKind, _ bytes: [UInt8], of photo: [UInt8]) async throws {
        _ = try await library.store.memory.put(key(kind, photo), ByteBuffer(bytes: bytes), if: .always)
    }

    func stored(_ kind: PictureKind, of photo: [UInt8]) async throws -> [UInt8]? {
        try await library.store.memory.get(key(kind, photo), limit: 1 << 20).map { Array($0.bytes.readableBytesView) }
    }

    private func key(_ kind: PictureKind, _ photo: [UInt8]) -> ObjectKey {
        kind.key(of: ContentDigest(of: ByteBuffer(bytes: photo)), .bob)
    }

    /// Adds three JPEGs with thumbnails, of which the last is large, and a HEIC with a preview, too.
    func addPhotos() async throws {
        try await library.add((1...3).map { ("\($0).jpg", .jpeg, PhotoBytes.jpeg($0)) })
        try await library.add([("4.heic", .heic, Self.heic)])
        for number in 1...2 { try await put(.thumbnail, Self.small, of: PhotoBytes.jpeg(number)) }
        try await put(.thumbnail, Self.large, of: PhotoBytes.jpeg(3))
        try await put(.thumbnail, Self.small, of: Self.heic)
        try await put(.preview, Self.preview, of: Self.heic)
        library.store.clearLog()
    }
}
