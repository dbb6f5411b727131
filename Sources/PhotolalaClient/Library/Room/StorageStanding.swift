import Foundation
import PhotolalaAPI

/// How much an account stores after a backup or a sync, as far as this device knows.
public struct StorageStanding: Sendable, Codable, Equatable {
    /// Bytes at the last count, with what this device has sent since.
    public let used: Int64
    /// Bytes that may be stored.
    public let limit: Int64
    /// When it was counted; `nil` before the first count.
    public let countedAt: Date?

    /// How full it is: `near` from 80 % on, `almostFull` from 95 %.
    public var fullness: StorageFullness { StorageFullness(used: used, of: limit) }
}
