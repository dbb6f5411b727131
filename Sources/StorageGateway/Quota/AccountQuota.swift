import ObjectStorage
import PhotolalaAPI
import StorageAccess

/// The quota of one account, as of one snapshot of its totals.
struct AccountQuota: Sendable {
    /// The maximum number of parts and records of uploads per account. Each also counts at least
    /// `StorageCharge.minimum` bytes.
    static let uploadObjects: Int64 = 50_000

    private let user: UserID
    private let limit: Int64
    private let totals: [String: ObjectTotals]

    /// - Parameter totals: The totals below `prefixes(of: user)`.
    init(_ user: UserID, limit: Int64, totals: [String: ObjectTotals]) {
        self.user = user
        self.limit = limit
        self.totals = totals
    }

    /// Returns all prefixes that count: the user's own, and that of the parts and records of uploads.
    static func prefixes(of user: UserID) -> [String] {
        StorageLayout.userPrefixes(user) + [StorageLayout.uploads(user)]
    }

    /// The current total, in bytes.
    var stored: Int64 { totals.values.reduce(0) { $0 + $1.bytes } }

    /// Returns the quota for a write. An account over its limit may still write the catalog and the profile needed
    /// for deleting, up to sizes derived from the library.
    /// - Parameters:
    ///   - target: The key that is written.
    ///   - leaving: Prefixes of objects that are deleted after the write.
    func quota(for target: ObjectKey, leaving: [String]) -> StorageQuota {
        StorageQuota(
            prefixes: Self.prefixes(of: user), limit: limit, allowance: allowance(for: target),
            objects: target.isBelow(StorageLayout.uploads(user))
                ? .init(StorageLayout.uploads(user), maximum: Self.uploadObjects) : nil, leaving: leaving)
    }

    /// Returns whether a write may be within the quota, according to the totals.
    func allows(_ charge: Int64, replacing replaced: Int64?, _ quota: StorageQuota) -> Bool {
        quota.allows(charge, replacing: replaced, totals: { totals[$0] ?? ObjectTotals() }, sum: { _ in 0 })
    }

    /// Whether the maximum number of parts and records of uploads is reached.
    var hasTooManyUploads: Bool { totals[StorageLayout.uploads(user)]?.objects ?? 0 >= Self.uploadObjects }

    private func allowance(for target: ObjectKey) -> StorageQuota.Bound? {
        let (catalogs, data) = (StorageLayout.catalogs(user), StorageLayout.userData(user))
        if target.isBelow(catalogs) {
            let photos = totals[StorageLayout.photos(user)]?.objects ?? 0
            return .init(catalogs, maximum: BookkeepingAllowance.catalogs(photos: photos))
        }
        return target.isBelow(data) ? .init(data, maximum: BookkeepingAllowance.data) : nil
    }
}

extension ObjectKey {
    fileprivate func isBelow(_ prefix: String) -> Bool { description.utf8.starts(with: prefix.utf8) }
}
