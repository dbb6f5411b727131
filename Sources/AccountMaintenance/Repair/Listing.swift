import Accounts
import ObjectStorage

/// The items that a repair processes, one after the other.
protocol RepairItems {
    associatedtype Item: Sendable

    mutating func next() async throws(AccountError) -> Item?
}

/// The objects under a prefix, in key order. Memory holds one page.
struct Listing: RepairItems {
    private let store: any ObjectStore
    private let prefix: String
    private var page: ArraySlice<ListedObject> = []
    private var after: String?
    private var isTruncated = true

    init(_ store: any ObjectStore, prefix: String) {
        self.store = store
        self.prefix = prefix
    }

    mutating func next() async throws(AccountError) -> ListedObject? {
        while page.isEmpty, isTruncated {
            let (store, prefix, after) = (store, prefix, after)
            let next = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await store.list(prefix: prefix, after: after, limit: 1000)
            }
            page = next.objects[...]
            self.after = next.objects.last?.key.description
            isTruncated = next.isTruncated && self.after != nil
        }
        return page.popFirst()
    }
}
