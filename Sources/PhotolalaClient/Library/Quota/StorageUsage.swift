import Foundation
import PhotolalaAPI

/// The storage usage of an account after a backup or a sync, as far as this device knows.
public struct StorageUsage: Sendable, Codable, Equatable {
    /// The bytes at the last count plus the bytes that this device has sent since; or, if the server rejected a
    /// reservation, the bytes that are stored or reserved.
    public let used: Int64
    /// The number of bytes that may be stored.
    public let limit: Int64
    /// When the usage was counted; `nil` before the first count, and for values from a rejected reservation.
    public let countedAt: Date?

    /// How full the storage is: `near` from 80 %, `almostFull` from 95 %.
    public var fullness: StorageFullness { StorageFullness(used: used, of: limit) }
}
