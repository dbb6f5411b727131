import ObjectStorage
import PhotolalaAPI

/// Which contents the store has, as far as it is known without asking for each.
struct StoredContents: Sendable {
    private var sizes: [ContentDigest: Int64]
    /// Whether all of the store is in here, so that what is not here is not there.
    private let isComplete: Bool

    /// Reads one page of the listing. If that is all, the store was seen whole; otherwise the catalog tells more.
    static func load(
        from store: any ObjectStore, user: UserID, catalog: Catalog
    ) async throws(ObjectStoreError) -> StoredContents {
        let prefix = StorageLayout.photos(user)
        let page = try await store.list(prefix: prefix, after: nil, limit: 1000)
        var sizes = page.isTruncated ? catalog.contents : [:]
        for object in page.objects {
            let name = object.key.description.utf8.dropFirst(prefix.utf8.count)
            guard let digest = ContentDigest(Substring(name.prefix(32))), name.dropFirst(32).elementsEqual(".dat".utf8)
            else { continue }
            sizes[digest] = object.size
        }
        return StoredContents(sizes: sizes, isComplete: !page.isTruncated)
    }

    /// `nil` when only the store can tell.
    func contains(_ digest: ContentDigest, size: Int64) -> Bool? {
        if let stored = sizes[digest] { return stored == size }
        return isComplete ? false : nil
    }

    mutating func insert(_ digest: ContentDigest, size: Int64) { sizes[digest] = size }
}
