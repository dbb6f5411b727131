/// What an account may store once a write is done. The store checks it in the step that makes the write.
package struct StorageQuota: Sendable, Equatable {
    /// The account's prefixes, whose totals count together.
    package let prefixes: [String]
    /// Bytes that may stand there.
    package let limit: Int64
    /// A prefix that may hold this many bytes, whatever the others hold.
    package let allowance: Bound?
    /// How many objects there may be below one prefix.
    package let objects: Bound?
    /// Prefixes of objects that the caller deletes once the write is done: they are not counted beside it.
    package let leaving: [String]

    /// A bound on what stands below one prefix.
    package struct Bound: Sendable, Equatable {
        package let prefix: String
        package let most: Int64

        package init(_ prefix: String, most: Int64) {
            self.prefix = prefix
            self.most = most
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

    /// Whether a write keeps to it. One that takes no more than what it replaces always does.
    /// - Parameters:
    ///   - charge: what the new object counts for.
    ///   - replaced: what the object counts for that it replaces; `nil` where there is none.
    ///   - totals: what stands below a prefix now.
    ///   - sum: what the objects below a prefix count for, object by object.
    package func allows(
        _ charge: Int64, replacing replaced: Int64?, totals: (String) throws -> ObjectTotals,
        sum: (String) throws -> Int64
    ) rethrows -> Bool {
        if replaced == nil, let objects, try totals(objects.prefix).objects >= objects.most { return false }
        let growth = charge - (replaced ?? 0)
        guard growth > 0 else { return true }
        if let allowance, try totals(allowance.prefix).bytes + growth <= allowance.most { return true }
        let stored = try prefixes.reduce(Int64(0)) { try $0 + totals($1).bytes }
        if stored + growth <= limit { return true }
        return try stored + growth - leaving.reduce(Int64(0)) { try $0 + sum($1) } <= limit
    }
}
