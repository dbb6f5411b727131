import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// Two creations of previews with one profile.
@Suite struct PreviewRunTests {
    /// Makes pictures once its gate is open.
    private struct Maker: PictureMaker {
        var started = Gate()
        var mayEnd = Gate()
        let isMissing = false

        func canMake(_ type: MediaType) -> Bool { type == .jpeg }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            started.open()
            await mayEnd.wait()
            guard let jpeg = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(0))) else { throw .notMade }
            return Pictures(thumbnail: jpeg)
        }
    }

    private let library = StoredLibrary()
    private let state: TemporaryFolder

    init() throws { state = try TemporaryFolder() }

    private func fill(_ maker: Maker, in folder: String? = nil) async throws -> PreviewFillSummary {
        let fill = PreviewFill(
            store: library.store, user: .bob, maker: maker, quality: 77, folder: folder ?? state.path + "/previews/bob",
            unmadeFile: state.path + "/failed", detailsFile: state.path + "/read", tool: "1", pause: .none)
        return try await fill.run(PhotoSelection()) { _ in }
    }

    @Test func `a second run ends at once, and the first one is not disturbed`() async throws {
        try await library.add((1...3).map { ("\($0).jpg", .jpeg, PhotoBytes.jpeg($0)) })
        let maker = Maker()
        let first = Task { try await fill(maker) }
        await maker.started.wait()
        let refusal = await #expect(throws: PreviewFillError.self) { try await fill(Maker()) }
        guard case .underWay = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        maker.mayEnd.open()
        let summary = try await first.value
        #expect(summary.made == 3 && summary.failures.isEmpty && summary.notMade.isEmpty)
        #expect(try await fill(maker).progress.totalFiles == 0)
    }

    @Test func `a folder that cannot be created stops the run before any request`() async throws {
        try await library.add([("a.jpg", .jpeg, PhotoBytes.jpeg(1))])
        try state.write("file", [1])
        library.store.clearLog()
        let refusal = await #expect(throws: PreviewFillError.self) {
            try await fill(Maker(), in: state.path + "/file/bob")
        }
        guard case .folder = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(library.store.log.isEmpty)
    }
}
