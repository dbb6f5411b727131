/// What an account over its limit may still store beside its photos, in bytes: deleting a photo writes the catalog.
package enum BookkeepingAllowance {
    /// Of the user's own data: a profile has at most 64 KiB, and so have preferences.
    package static let data: Int64 = 1 << 20

    /// Of all catalogs of a library: an entry has some 200 bytes, and snapshots that were replaced stand beside the newest
    /// for a while.
    package static func catalogs(photos: Int64) -> Int64 { (32 << 20) + photos * 2048 }

    /// Whether an account keeps within both, beside what it had when it passed its limit: old snapshots of catalogs are
    /// kept as history. A count without that, or without kinds, holds.
    package static func holds(_ usage: UsageDocument) -> Bool {
        guard let kinds = usage.kinds, let before = usage.whenExceeded else { return true }
        let photos = Int64(kinds[.photos]?.objects ?? 0)
        return kinds[.catalogs]?.bytes ?? 0 <= before.catalogs + catalogs(photos: photos)
            && kinds[.data]?.bytes ?? 0 <= before.data + data
    }
}

/// Bytes of what an account keeps about its photos.
package struct RecordBytes: Codable, Sendable, Equatable {
    package let catalogs: Int64
    package let data: Int64

    init(_ kinds: [UsageKind: KindUsage]) {
        catalogs = kinds[.catalogs]?.bytes ?? 0
        data = kinds[.data]?.bytes ?? 0
    }
}
