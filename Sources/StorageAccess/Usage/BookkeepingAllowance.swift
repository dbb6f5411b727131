/// The storage that an account over its limit may still use beside its photos, in bytes: deleting a photo writes the
/// catalog.
package enum BookkeepingAllowance {
    /// The allowance for the user's own data: a profile has at most 64 KiB, and so have preferences.
    package static let data: Int64 = 1 << 20

    /// Returns the allowance for all catalogs of a library: an entry has about 200 bytes, and replaced snapshots are
    /// kept beside the newest for some time.
    package static func catalogs(photos: Int64) -> Int64 { (32 << 20) + photos * 2048 }

    /// Returns whether an account is within both allowances, in addition to the sizes when it passed its limit: old
    /// snapshots of catalogs are kept as history. Returns `true` if the document lacks those sizes or the sizes by
    /// kind.
    package static func permits(_ usage: UsageDocument) -> Bool {
        guard let kinds = usage.kinds, let before = usage.whenExceeded else { return true }
        let photos = Int64(kinds[.photos]?.objects ?? 0)
        return kinds[.catalogs]?.bytes ?? 0 <= before.catalogs + catalogs(photos: photos)
            && kinds[.data]?.bytes ?? 0 <= before.data + data
    }
}

/// The size of an account's catalogs and data, in bytes.
package struct RecordBytes: Codable, Sendable, Equatable {
    package let catalogs: Int64
    package let data: Int64

    init(_ kinds: [UsageKind: KindUsage]) {
        catalogs = kinds[.catalogs]?.bytes ?? 0
        data = kinds[.data]?.bytes ?? 0
    }
}
