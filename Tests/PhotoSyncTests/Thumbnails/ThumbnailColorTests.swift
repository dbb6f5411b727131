import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Colors of thumbnails that are stored already.
@Suite struct ThumbnailColorTests {
    /// Makes the same thumbnail of each file, and counts the files.
    private final class Maker: PictureMaker {
        let color: PictureColor?
        let count = Mutex(0)
        let isMissing = false

        init(_ color: PictureColor?) { self.color = color }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg }

        func endIdleProcesses() async {}

        func pictures(of place: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            count.withLock { $0 += 1 }
            guard let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(1))) else { throw .notMade }
            return Pictures(thumbnail: thumbnail, color: color)
        }
    }

    private let red = PictureColor(red: 200, green: 1, blue: 2)

    private func fill(_ fixture: BackupFixture, _ maker: Maker) async throws -> PreviewFillSummary {
        let fill = PreviewFill(
            store: fixture.store, user: .bob, maker: maker, quality: 77, folder: fixture.state.path + "/previews",
            unmadeFile: fixture.state.path + "/failed", detailsFile: fixture.state.path + "/read", tool: "1",
            pause: .none)
        return try await fill.run(PhotoSelection()) { _ in }
    }

    /// A library with thumbnails and without colors.
    private func library(
        of photos: Int, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }
    ) async throws -> BackupFixture {
        let fixture = try BackupFixture(fault: fault)
        for number in 1...photos { try fixture.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        _ = try await fixture.backUp()
        #expect(try await fill(fixture, Maker(nil)).made == photos)
        fixture.store.clearLog()
        return fixture
    }

    private func colors(_ fixture: BackupFixture) async throws -> [PictureColor?] {
        try await fixture.catalog().entries.map(\.media.color)
    }

    @Test("colors are determined by thumbnails, without originals, and added in one commit, once")
    func added() async throws {
        let fixture = try await library(of: 12)
        let summary = try await fill(fixture, Maker(red))
        #expect(summary.colored == 12 && summary.made == 0 && summary.ending == .completed)
        #expect(fixture.store.count("put", StorageLayout.catalogPointer(.bob)) == 1)
        #expect(fixture.store.count("read", "photos/") == 0)
        #expect(try await colors(fixture) == Array(repeating: red, count: 12))
        let again = Maker(red)
        #expect(try await fill(fixture, again).colored == 0)
        #expect(again.count.withLock { $0 } == 0)
    }

    @Test("a tool that determines no colors is given a few thumbnails, not all")
    func unsupported() async throws {
        let fixture = try await library(of: 30)
        let maker = Maker(nil)
        let summary = try await fill(fixture, maker)
        #expect(summary.colored == 0 && summary.ending == .completed)
        #expect((1...8).contains(maker.count.withLock { $0 }))
    }

    @Test("a store that fails stops the run, and the next one resumes it")
    func unavailable() async throws {
        let fails = Mutex(false)
        let fixture = try await library(of: 20) { verb, key in
            verb == "get" && key.hasPrefix("thumbnails/") && fails.withLock { $0 } ? .unavailable("503") : nil
        }
        fails.withLock { $0 = true }
        let summary = try await fill(fixture, Maker(red))
        guard case .stopped(.storeUnavailable) = summary.ending, summary.colored == 0 else {
            Issue.record("\(summary)")
            return
        }
        fails.withLock { $0 = false }
        #expect(try await fill(fixture, Maker(red)).colored == 20)
    }
}
