import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Durations that only the tool of the pictures finds.
@Suite struct BackupDurationTests {
    private struct Maker: PictureMaker {
        let isMissing = false

        func canMake(_ type: MediaType) -> Bool { type.isVideo }
        func endIdleProcesses() async {}

        func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            guard let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: PhotoBytes.picture(0))) else { throw .notMade }
            return Pictures(thumbnail: thumbnail, duration: MediaDuration(milliseconds: 7))
        }
    }

    @Test("a backup stores the duration that the tool found, also of equal files, if the video itself states none")
    func stored() async throws {
        let fixture = try BackupFixture()
        let avi = Array("RIFF".utf8) + PhotoBytes.big32(7) + Array("AVI and more".utf8)
        try fixture.folder.write("a.avi", avi)
        try fixture.folder.write("b.avi", avi)
        try fixture.folder.write(
            "c.mov", MovieBytes.movie(MovieBytes.mvhd(0, timescale: 600, duration: 1500)))
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, thumbnails: Maker(), pause: .none,
            now: { Date(timeIntervalSince1970: 0) })
        #expect(try await backup.run(folder: fixture.folder.path) { _ in }.isComplete)
        let durations = try await fixture.catalog().entries.map { $0.media.duration?.milliseconds }
        #expect(durations == [7, 7, 2500])
    }

    @Test("a copy of the beginning and the end is enough, except for long MP4")
    func copies() {
        let limit = PictureFile.beginning
        #expect(PictureFile.hasDuration(.mp4, size: limit) && !PictureFile.hasDuration(.mp4, size: limit + 1))
        #expect(PictureFile.hasDuration(.ogg, size: limit + 1) && PictureFile.hasDuration(.avi, size: .max))
    }
}
