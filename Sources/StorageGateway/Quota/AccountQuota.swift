import ObjectStorage
import PhotolalaAPI
import StorageAccess

/// What one account may store, as of one moment.
struct AccountQuota: Sendable {
    /// How many parts and records of uploads an account may have. Each counts for at least `StorageCharge.minimum`, too.
    static let uploadObjects: Int64 = 50_000

    private let user: UserID
    private let limit: Int64
    private let totals: [String: ObjectTotals]

    /// - Parameter totals: what stands below `prefixes(of: user)`.
    init(_ user: UserID, limit: Int64, totals: [String: ObjectTotals]) {
        self.user = user
        self.limit = limit
        self.totals = totals
    }

    /// All that counts: the user's prefixes, and the parts and records of uploads.
    static func prefixes(of user: UserID) -> [String] {
        StorageLayout.userPrefixes(user) + [StorageLayout.uploads(user)]
    }

    /// Bytes that count at this moment.
    var stored: Int64 { totals.values.reduce(0) { $0 + $1.bytes } }

    /// The quota for a write. An account over its limit may still write the catalog and the profile that deleting needs,
    /// as far as the library's size calls for them.
    /// - Parameters:
    ///   - target: where it is written.
    ///   - leaving: prefixes of objects that go once it is done.
    func quota(for target: ObjectKey, leaving: [String]) -> StorageQuota {
        StorageQuota(
            prefixes: Self.prefixes(of: user), limit: limit, allowance: allowance(for: target),
            objects: target.isBelow(StorageLayout.uploads(user))
                ? .init(StorageLayout.uploads(user), most: Self.uploadObjects) : nil, leaving: leaving)
    }

    /// Whether a write can keep to the quota, as far as the totals tell.
    func allows(_ charge: Int64, replacing replaced: Int64?, _ quota: StorageQuota) -> Bool {
        quota.allows(charge, replacing: replaced, totals: { totals[$0] ?? ObjectTotals() }, sum: { _ in 0 })
    }

    /// Whether there are as many parts and records of uploads as there may be.
    var hasTooManyUploads: Bool { totals[StorageLayout.uploads(user)]?.objects ?? 0 >= Self.uploadObjects }

    private func allowance(for target: ObjectKey) -> StorageQuota.Bound? {
        let (catalogs, data) = (StorageLayout.catalogs(user), StorageLayout.userData(user))
        if target.isBelow(catalogs) {
            let photos = totals[StorageLayout.photos(user)]?.objects ?? 0
            return .init(catalogs, most: BookkeepingAllowance.catalogs(photos: photos))
        }
        return target.isBelow(data) ? .init(data, most: BookkeepingAllowance.data) : nil
    }
}

extension ObjectKey {
    fileprivate func isBelow(_ prefix: String) -> Bool { description.utf8.starts(with: prefix.utf8) }
}
