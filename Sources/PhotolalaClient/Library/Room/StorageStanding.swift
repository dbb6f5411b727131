import Foundation
import PhotolalaAPI

/// How much an account stores after a backup or a sync, as far as this device knows.
public struct StorageStanding: Sendable, Codable, Equatable {
    /// Bytes at the last count, with what this device has sent since; or, where the server had no room to reserve, what is
    /// stored and kept free for uploads.
    public let used: Int64
    /// Bytes that may be stored.
    public let limit: Int64
    /// When it was counted; `nil` before the first count, and for what the server told of a reservation.
    public let countedAt: Date?

    /// How full it is: `near` from 80 % on, `almostFull` from 95 %.
    public var fullness: StorageFullness { StorageFullness(used: used, of: limit) }
}
