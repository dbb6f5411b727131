import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// The durations and cameras that are found while missing pictures are made.
@Suite struct PreviewDetailTests {
    /// Makes equal pictures of all contents but one.
    private struct Maker: PictureMaker {
        let failing: ContentDigest?
        let isMissing = false

        func canMake(_ type: MediaType) -> Bool { type == .jpeg || type == .quickTime }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            guard failing.map({ !path.contains($0.description) }) ?? true,
                let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(0)))
            else {
                throw .notMade
            }
            return Pictures(thumbnail: thumbnail)
        }
    }

    private let library = StoredLibrary()

    private static let photo = PhotoBytes.jpeg(
        1, exif: PhotoBytes.exif([], first: [(0x010f, "Canon"), (0x0110, "EOS R5")]))
    private static let moov =
        MovieBytes.mvhd(0, timescale: 600, duration: 1500) + MovieBytes.camera(make: "Apple", model: "iPhone 15 Pro")

    private func fill(failing: ContentDigest? = nil) async throws -> [String] {
        let folder = try TemporaryFolder()
        let fill = PreviewFill(
            store: library.store, user: .bob, maker: Maker(failing: failing), quality: 77,
            folder: folder.path + "/previews",
            unmadeFile: folder.path + "/failed", detailsFile: folder.path + "/read", tool: "1", pause: .none)
        #expect(try await fill.run(PhotoSelection()) { _ in }.ending == .completed)
        return try await library.details()
    }

    @Test("what originals tell is added in one commit, and known facts stay")
    func filled() async throws {
        let known = MediaFacts(duration: MediaDuration(milliseconds: 9), camera: CameraName("A"))
        try await library.add([
            ("a.jpg", .jpeg, Self.photo), ("b.mov", .quickTime, MovieBytes.movie(Self.moov)),
        ])
        try await library.add([("c.mov", .quickTime, MovieBytes.movie(Self.moov, mediaLength: 301))], known: known)
        #expect(try await fill() == ["a.jpg Canon EOS R5 0", "b.mov Apple iPhone 15 Pro 2500", "c.mov A 9"])
        #expect(library.store.count("put", StorageLayout.catalogPointer(.bob)) == 1)
    }

    @Test("the index of a long video is enough, and no facts are added without pictures")
    func long() async throws {
        let film = MovieBytes.movie(Self.moov, mediaLength: 20 << 20)
        try await library.add([("a.jpg", .jpeg, Self.photo), ("b.mov", .quickTime, film)])
        #expect(
            try await fill(failing: ContentDigest(of: ByteBuffer(bytes: Self.photo))) == [
                "a.jpg - 0", "b.mov Apple iPhone 15 Pro 2500",
            ])
    }
}
