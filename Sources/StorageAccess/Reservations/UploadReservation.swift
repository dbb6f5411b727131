import Foundation
import ObjectStorage
import PhotolalaAPI

/// Room that is kept for one upload.
package struct UploadReservation: Codable, Sendable, Equatable {
    /// The object's key.
    package let key: String
    /// Bytes that may come.
    package internal(set) var size: Int64
    /// From then on nothing comes any more, in whole seconds.
    package internal(set) var endsAt: Date
    /// Bytes that the last count found at the key: they are in that count.
    var counted: Int64

    /// - Parameter linkEnd: until when the address is good that opens the upload.
    package init(_ key: ObjectKey, size: Int64, linkEnd: Date) {
        self.key = key.description
        self.size = size
        // Stores ask only at the beginning of an upload whether its address is still good.
        let end = linkEnd.timeIntervalSince1970 + UploadRequest.longestDuration(of: size)
        endsAt = Date(timeIntervalSince1970: end.rounded(.up))
        counted = 0
    }

    /// What it may add to the last count.
    var room: Int64 { max(0, size - counted) }
}

/// All that is to be reserved together or not at all, such as for a photo and its thumbnail.
package typealias ReservationGroup = [UploadReservation]
