import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Cameras and durations of a library that has all pictures.
@Suite struct MissingDetailsTests {
    /// States a duration of all videos.
    private final class Maker: PictureMaker {
        let tried = Mutex<[Int]>([])
        let isMissing = false
        let failure: ThumbnailError?
        let stated: Set<MediaType>

        init(_ stated: Set<MediaType> = [], failure: ThumbnailError? = nil) {
            (self.stated, self.failure) = (stated, failure)
        }

        func canMake(_ type: MediaType) -> Bool { true }
        func statesDuration(of type: MediaType) -> Bool { stated.contains(type) }
        var runsPrograms: Bool { true }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
            tried.withLock { $0.append(bytes.count) }
            if let failure { throw failure }
            guard let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(0))) else { throw .notMade }
            return Pictures(thumbnail: thumbnail, duration: MediaDuration(milliseconds: 7))
        }
    }

    private let library = StoredLibrary()
    private let state: TemporaryFolder

    init() throws { state = try TemporaryFolder() }

    private static let camera = PhotoBytes.exif([], first: [(0x010f, "Canon"), (0x0110, "EOS R5")])
    private static func movie(_ duration: Int, length: Int = 300) -> [UInt8] {
        MovieBytes.movie(MovieBytes.mvhd(0, timescale: 600, duration: duration), mediaLength: length)
    }
    private static let avi =
        Array("RIFF".utf8) + PhotoBytes.big32(7) + Array("AVI ".utf8) + [UInt8](repeating: 7, count: 20 << 20)

    /// Adds stored files with pictures, whose color is known.
    private func add(_ files: [(path: String, type: MediaType, bytes: [UInt8])]) async throws {
        let known = MediaFacts(color: PictureColor(red: 1, green: 2, blue: 3))
        try await library.add(files, known: known, withPictures: true)
    }

    private func fill(_ maker: Maker = Maker()) async throws -> (summary: PreviewFillSummary, reads: Int) {
        library.store.clearLog()
        let fill = PreviewFill(
            store: library.store, user: .bob, maker: maker, quality: 77, folder: state.path + "/previews",
            unmadeFile: state.path + "/failed", detailsFile: state.path + "/read", tool: "1", pause: .none)
        let summary = try await fill.run(PhotoSelection()) { _ in }
        return (summary, library.store.count("read", "photos/"))
    }

    @Test("cameras and durations are read from ranges, committed together, and read once")
    func ranges() async throws {
        let long = PhotoBytes.jpeg(1, exif: Self.camera, length: 5 << 20)
        try await add([
            ("a.jpg", .jpeg, long), ("b.mov", .quickTime, Self.movie(1500, length: 20 << 20)),
            ("c.jpg", .jpeg, PhotoBytes.jpeg(2)), ("d.gif", .gif, Array("GIF89a and more".utf8)),
        ])
        let (summary, reads) = try await fill()
        #expect(summary.described == 2 && summary.made == 0 && summary.ending == .completed)
        #expect(try await library.details() == ["a.jpg Canon EOS R5 0", "b.mov - 2500", "c.jpg - 0", "d.gif - 0"])
        #expect(library.store.count("put", StorageLayout.catalogPointer(.bob)) == 1 && (4...6).contains(reads))
        let again = try await fill()
        #expect(again.summary.described == 0 && again.reads == 0)
    }

    @Test("only the tool finds the duration of other videos, in their beginning and end")
    func tool() async throws {
        try await add([("a.avi", .avi, Self.avi), ("b.mov", .quickTime, Self.movie(0))])
        // Without ffmpeg the AVI is not read, and counts as not examined.
        let without = try await fill()
        #expect(without.summary.described == 0 && without.summary.toolFailure == nil)
        let maker = Maker([.avi, .quickTime])
        #expect(try await fill(maker).summary.described == 1)
        #expect(try await library.details() == ["a.avi - 7", "b.mov - 0"])
        #expect(maker.tried.withLock { $0 } == [Self.avi.count])
        #expect(try await fill(maker).reads == 0)
    }

    @Test("a fragmented MP4 is given to the tool only if it is whole")
    func fragmented() async throws {
        let (short, long) = (Self.movie(0), Self.movie(0, length: 9 << 20))
        try await add([("a.mov", .quickTime, short), ("b.mov", .quickTime, long)])
        let maker = Maker([.quickTime])
        #expect(try await fill(maker).summary.described == 1)
        #expect(try await library.details() == ["a.mov - 7", "b.mov - 0"])
        #expect(maker.tried.withLock { $0 } == [short.count])
    }

    @Test("a tool that fails with a correct video stops the run, and the video is read again later")
    func brokenTool() async throws {
        try await add([("a.avi", .avi, Self.avi)])
        let summary = try await fill(Maker([.avi], failure: .notMade)).summary
        #expect(summary.toolFailure == PictureToolFailure(isVideo: true, reason: "made nothing"))
        #expect(try await fill(Maker([.avi])).summary.described == 1)
    }

    @Test("archived, missing and uncommitted contents are read again by the next run")
    func unread() async throws {
        let photos = (1...3).map { PhotoBytes.jpeg($0, exif: Self.camera) }
        try await add(photos.enumerated().map { ("\($0).jpg", .jpeg, $1) })
        library.fail { verb, _ in verb == "put" ? .denied("no") : nil }
        let failed = try await fill()
        #expect(failed.summary.described == 0 && failed.summary.ending != .completed)
        let archived = library.key(photos[0]).description
        library.fail { verb, key in verb == "read" && key == archived ? .archived : nil }
        try await library.store.memory.delete(library.key(photos[1]), if: .always)
        let (summary, _) = try await fill()
        #expect(summary.described == 1 && summary.archivedDetails == 1 && summary.archived.isEmpty)
        #expect(summary.failures.map(\.path.description) == ["1.jpg"])
        library.fail(nil)
        #expect(try await fill().summary.described == 1)
    }
}
