import Foundation
import NIOCore
import PhotoCatalog
import Testing

@testable import PhotoSync

@Suite("One line of the queue of uploads in the background") struct QueueRowTests {
    private static let address = UploadAddress(
        url: "https://s3.example/a", headers: ["a": "1"], expiresAt: Date(timeIntervalSince1970: 1.5))

    private func upload(_ state: QueuedUpload.State, isShort: Bool = false) -> QueuedUpload {
        var media = MediaFacts(taken: CaptureDate("2024-05-06T07:08:09+02:00"), width: 4, height: 3, orientation: 6)
        if !isShort {
            media.location = GeoLocation(latitude: 35.5, longitude: 139.25)
            media.duration = MediaDuration(milliseconds: 1500)
            media.camera = CameraName("Apple iPhone 15 Pro")
        }
        let entry = CatalogEntry(
            path: LibraryPath(known: "a.mov"), md5: ContentDigest(of: ByteBuffer(string: "a")), size: 9,
            modified: Timestamp(seconds: 5, nanoseconds: 0), type: .quickTime, media: media)
        return QueuedUpload(entry: entry, state: state)
    }

    @Test(
        "a line has all facts of the upload; one of a version without location, duration and camera is read",
        arguments: [QueuedUpload.State.planned, .stored, .addressed(address), .handed(address, task: 7, .all)])
    func facts(state: QueuedUpload.State) throws {
        let line = QueueRow.upload(upload(state)).line.dropLast()
        guard case .upload(let read)? = QueueRow(line: line) else {
            Issue.record("not read")
            return
        }
        #expect(read == upload(state))
        var fields = try #require(JournalRow.fields(of: line))
        fields.removeSubrange(9...11)
        guard case .upload(let short)? = QueueRow(line: JournalRow.line(of: fields).dropLast()) else {
            Issue.record("not read without the facts")
            return
        }
        #expect(short == upload(state, isShort: true))
        #expect(QueueRow(line: JournalRow.line(of: Array(fields[..<9])).dropLast()) == nil)
    }
}
