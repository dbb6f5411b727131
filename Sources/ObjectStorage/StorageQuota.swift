/// The limit on an account's storage after a write. The store checks it atomically with the write.
package struct StorageQuota: Sendable, Equatable {
    /// The account's prefixes, whose totals are added.
    package let prefixes: [String]
    /// The maximum total, in bytes.
    package let limit: Int64
    /// A prefix that may hold this many bytes, regardless of the others.
    package let allowance: Bound?
    /// The maximum number of objects below one prefix.
    package let objects: Bound?
    /// Prefixes of objects that the caller deletes after the write: they are not counted in addition to it.
    package let leaving: [String]

    /// A limit on the objects below one prefix.
    package struct Bound: Sendable, Equatable {
        package let prefix: String
        package let maximum: Int64

        package init(_ prefix: String, maximum: Int64) {
            self.prefix = prefix
            self.maximum = maximum
        }
    }

    package init(
        prefixes: [String], limit: Int64, allowance: Bound? = nil, objects: Bound? = nil, leaving: [String] = []
    ) {
        self.prefixes = prefixes
        self.limit = limit
        self.allowance = allowance
        self.objects = objects
        self.leaving = leaving
    }

    /// Returns whether a write is within the quota. A write that does not grow the object it replaces always is.
    /// - Parameters:
    ///   - charge: The charge of the new object.
    ///   - replaced: The charge of the object it replaces; `nil` if there is none.
    ///   - totals: Returns the current totals below a prefix.
    ///   - sum: Returns the summed charges of the objects below a prefix, object by object.
    package func allows(
        _ charge: Int64, replacing replaced: Int64?, totals: (String) throws -> ObjectTotals,
        sum: (String) throws -> Int64
    ) rethrows -> Bool {
        if replaced == nil, let objects, try totals(objects.prefix).objects >= objects.maximum { return false }
        let growth = charge - (replaced ?? 0)
        guard growth > 0 else { return true }
        if let allowance, try totals(allowance.prefix).bytes + growth <= allowance.maximum { return true }
        let stored = try prefixes.reduce(Int64(0)) { try $0 + totals($1).bytes }
        if stored + growth <= limit { return true }
        return try stored + growth - leaving.reduce(Int64(0)) { try $0 + sum($1) } <= limit
    }
}
