import Foundation
import NIOCore

/// The date in a Google Takeout sidecar: `photoTakenTime.timestamp`, seconds since 1970 in UTC.
package enum TakeoutDates {
    private struct Description: Decodable {
        struct Moment: Decodable { let timestamp: String }

        let photoTakenTime: Moment?
    }

    /// The longest sidecar that is read, in bytes; real ones have a few kilobytes.
    package static let limit = 1 << 20

    package static func clue(in bytes: ByteBuffer) -> CaptureClues.Clue? {
        guard bytes.readableBytes <= limit,
            let read = try? JSONDecoder().decode(Description.self, from: Data(bytes.readableBytesView)),
            let text = read.photoTakenTime?.timestamp, let seconds = Int64(text),
            // Google writes 0 for an unknown date.
            seconds != 0
        else { return nil }
        return .moment(Timestamp(seconds: seconds, nanoseconds: 0))
    }
}
