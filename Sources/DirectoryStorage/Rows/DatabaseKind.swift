import ObjectStorage

/// The two databases of a data folder. Data that users can grow is separate from the data needed for signing in, so
/// that one account's objects cannot grow or fill the accounts database.
enum DatabaseKind: CaseIterable {
    /// Accounts, identities and the service's own objects.
    case accounts
    /// The rows of photos, thumbnails, catalogs, users' own data and multipart uploads, and the storage totals of
    /// accounts.
    case users

    var fileName: String {
        switch self {
        case .accounts: ObjectIndex.fileName
        case .users: "\(ObjectIndex.fileName).users"
        }
    }

    var other: DatabaseKind { self == .accounts ? .users : .accounts }

    /// Where the database holding the key is decided by the key alone, as for `ObjectRouting`.
    init(_ key: ObjectKey) {
        self = Self.holdsAccounts(key.description.utf8) ? .accounts : .users
    }

    /// Returns the databases that may hold keys with the prefix.
    static func holding(prefix: String) -> [DatabaseKind] {
        let segments = prefix.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
        // A last segment may be incomplete; a segment followed by a slash is complete.
        guard segments.count > 1 else { return allCases }
        guard segments[0].elementsEqual("service".utf8), segments.count == 2 else {
            return [holdsAccounts(prefix.utf8) ? .accounts : .users]
        }
        return ObjectRouting.largeRecords.contains { $0.utf8.starts(with: segments[1]) } ? allCases : [.accounts]
    }

    private static func holdsAccounts(_ path: String.UTF8View) -> Bool {
        let first = path.prefix { $0 != UInt8(ascii: "/") }
        if first.elementsEqual("identities".utf8) || first.elementsEqual("accounts".utf8) { return true }
        guard first.elementsEqual("service".utf8) else { return false }
        let second = path.dropFirst(first.count + 1).prefix { $0 != UInt8(ascii: "/") }
        return !ObjectRouting.largeRecords.contains { second.elementsEqual($0.utf8) }
    }
}
