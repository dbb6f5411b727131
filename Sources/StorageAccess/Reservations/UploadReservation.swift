import Foundation
import ObjectStorage
import PhotolalaAPI

/// Space reserved for one upload.
package struct UploadReservation: Codable, Sendable, Equatable {
    /// The object's key.
    package let key: String
    /// The maximum number of bytes.
    package internal(set) var size: Int64
    /// The time after which the upload cannot complete, in whole seconds.
    package internal(set) var endsAt: Date
    /// The bytes found at the key by the last count, which includes them.
    var counted: Int64
    /// The session for which it was made; `nil` if there are several, and in documents from before.
    var holder: Holder?

    /// A session on a device.
    package struct Holder: Codable, Sendable, Hashable {
        package let device: DeviceID
        package let session: SessionID

        package init(device: DeviceID, session: SessionID) { (self.device, self.session) = (device, session) }
    }

    /// - Parameter linkEnd: The end of the validity of the upload's signed URL.
    package init(_ key: ObjectKey, size: Int64, linkEnd: Date, holder: Holder? = nil) {
        self.key = key.description
        self.holder = holder
        self.size = size
        // Stores check the validity of a URL only at the start of an upload.
        let end = linkEnd.timeIntervalSince1970 + UploadRequest.maximumDuration(of: size)
        endsAt = Date(timeIntervalSince1970: end.rounded(.up))
        counted = 0
    }

    /// The bytes that it may add to the last count.
    var pendingBytes: Int64 { max(0, size - counted) }
}

/// Reservations made together or not at all, such as for a photo and its thumbnail.
package typealias ReservationGroup = [UploadReservation]
