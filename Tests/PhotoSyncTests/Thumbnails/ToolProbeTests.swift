import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Runs with a tool that fails with every file, or lacks a program.
@Suite struct ToolProbeTests {
    /// Makes pictures of files of some types, and fails with all files of others.
    private final class Maker: PictureMaker {
        let working: Set<MediaType>
        let broken: Set<MediaType>
        let lacking: Set<MediaType>
        let failure: ThumbnailError
        let tried = Mutex<[MediaType]>([])
        let isMissing = false
        let runsPrograms: Bool

        init(
            working: Set<MediaType> = [], broken: Set<MediaType> = [], lacking: Set<MediaType> = [],
            failure: ThumbnailError = .notMade, runsPrograms: Bool = true
        ) {
            self.runsPrograms = runsPrograms
            (self.working, self.broken, self.lacking, self.failure) = (working, broken, lacking, failure)
        }

        func canMake(_ type: MediaType) -> Bool { working.contains(type) || broken.contains(type) }

        func lacksProgram(for type: MediaType) -> Bool { lacking.contains(type) }

        func endIdleProcesses() async {}

        func pictures(of place: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            tried.withLock { $0.append(type) }
            let jpeg = ByteBuffer(bytes: PhotoBytes.picture(1))
            guard working.contains(type), let thumbnail = Thumbnail(jpeg: jpeg) else { throw failure }
            return Pictures(
                thumbnail: thumbnail, preview: preview == nil ? nil : Preview(jpeg: jpeg),
                color: PictureColor(red: 1, green: 2, blue: 3))
        }
    }

    private func library() async throws -> BackupFixture {
        let fixture = try BackupFixture()
        for number in 1...9 { try fixture.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        try fixture.folder.write("a.gif", Array("GIF89a and more".utf8))
        try fixture.folder.write("b.mov", MovieBytes.movie([]))
        _ = try await fixture.backUp()
        return fixture
    }

    private func fill(_ fixture: BackupFixture, _ maker: Maker) async throws -> PreviewFillSummary {
        let fill = PreviewFill(
            store: fixture.store, user: .bob, maker: maker, quality: 77, folder: fixture.state.path + "/previews",
            unmadeFile: fixture.state.path + "/failed", detailsFile: fixture.state.path + "/read", tool: "1",
            pause: .none)
        return try await fill.run(PhotoSelection()) { _ in }
    }

    @Test(
        "a tool that fails with a correct photo, too, stops the run, and no photo counts as undecodable",
        arguments: [
            (ThumbnailError.toolFailed("worker ended"), "worker ended"), (.notMade, "made nothing"),
            (.tooSlow, "exceeded its time limit"),
        ])
    func brokenTool(error: ThumbnailError, reason: String) async throws {
        let fixture = try await library()
        let maker = Maker(broken: [.jpeg], failure: error)
        let summary = try await fill(fixture, maker)
        #expect(summary.toolFailure == PictureToolFailure(isVideo: false, reason: reason))
        #expect(summary.notMade.isEmpty && summary.failures.isEmpty && summary.made == 0)
        // Three at a time, each with its original and a correct photo.
        #expect(maker.tried.withLock { $0.count } <= 6)
        let next = try await fill(fixture, Maker(working: [.jpeg]))
        #expect(next.made == 9 && next.skipped == 0 && next.toolFailure == nil)
    }

    @Test("a photo without a picture does not stop a tool that makes one of a correct photo")
    func undecodable() async throws {
        let fixture = try await library()
        let maker = Maker(working: [.jpeg], broken: [.gif])
        let summary = try await fill(fixture, maker)
        #expect(summary.toolFailure == nil && summary.made == 9)
        #expect(summary.notMade.map(\.description) == ["a.gif"])
        #expect(maker.tried.withLock { $0.count { $0 == .jpeg } } == 10)
        #expect(try await fill(fixture, maker).skipped == 1)
    }

    @Test("a tool that runs no programs is not tried with correct files")
    func inProcess() async throws {
        let fixture = try await library()
        let maker = Maker(broken: [.jpeg], runsPrograms: false)
        let summary = try await fill(fixture, maker)
        #expect(summary.toolFailure == nil && summary.notMade.count == 9)
        #expect(maker.tried.withLock { $0.count } == 9)
    }

    @Test("a tool that fails with videos only is tried with a correct video")
    func brokenVideos() async throws {
        let fixture = try await library()
        let summary = try await fill(fixture, Maker(working: [.jpeg], broken: [.quickTime]))
        #expect(summary.toolFailure?.isVideo == true && summary.notMade.isEmpty)
        #expect(try await fill(fixture, Maker(working: [.jpeg, .quickTime])).skipped == 0)
    }

    @Test("a backup names a tool that fails with a correct file, too, and not one that fails with a file")
    func backup() async throws {
        func failure(_ maker: Maker) async throws -> PictureToolFailure? {
            let fixture = try BackupFixture()
            try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
            try fixture.folder.write("b.gif", Array("GIF89a and more".utf8))
            try fixture.folder.write("c.mov", MovieBytes.movie([]))
            let backup = Backup(
                store: fixture.store, user: .bob, stateFolder: fixture.state.path, thumbnails: maker, pause: .none,
                now: { Date(timeIntervalSince1970: 0) })
            let summary = try await backup.run(folder: fixture.folder.path) { _ in }
            #expect(summary.isComplete)
            return summary.thumbnails.toolFailure
        }
        let ended = ThumbnailError.toolFailed("ended")
        let (photos, videos) = (
            Maker(broken: [.jpeg, .quickTime], failure: ended), Maker(working: [.jpeg], broken: [.quickTime])
        )
        #expect(try await failure(photos) == PictureToolFailure(isVideo: false, reason: "ended"))
        #expect(try await failure(videos) == PictureToolFailure(isVideo: true, reason: "made nothing"))
        #expect(try await failure(Maker(working: [.jpeg, .quickTime], broken: [.gif])) == nil)
        #expect(try await failure(Maker(working: [.jpeg, .gif, .quickTime])) == nil)
    }

    @Test("contents are counted whose pictures another program would make, and not once they have them")
    func lackingProgram() async throws {
        let fixture = try await library()
        let without = Maker(working: [.jpeg], lacking: [.quickTime])
        #expect(try await fill(fixture, without).lackingProgram == 1)
        #expect(try await fill(fixture, Maker(working: [.jpeg, .quickTime])).lackingProgram == 0)
        #expect(try await fill(fixture, without).lackingProgram == 0)
    }

    @Test("a tool that fails with every thumbnail stops the search for colors")
    func colors() async throws {
        let fixture = try await library()
        let key = PictureKind.thumbnail
        for entry in try await fixture.catalog().entries {
            _ = try await fixture.store.memory.write(
                key.key(of: entry.md5, .bob), ObjectBody(ByteBuffer(bytes: PhotoBytes.picture(1))), attributes: [:],
                if: .always)
        }
        let maker = Maker(broken: [.jpeg])
        let summary = try await fill(fixture, maker)
        #expect(summary.toolFailure?.isVideo == false && summary.colored == 0)
        #expect(maker.tried.withLock { $0.count } <= 16)
    }
}
