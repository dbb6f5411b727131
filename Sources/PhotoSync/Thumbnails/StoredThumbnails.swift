import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The set of photos that have a thumbnail in the store.
struct StoredThumbnails: Sendable {
    private var digests: Set<ContentDigest> = []

    /// Lists the thumbnails. One request for each 1,000.
    static func load(from store: any ObjectStore, user: UserID) async throws(ObjectStoreError) -> StoredThumbnails {
        var found = StoredThumbnails()
        let prefix = StorageLayout.thumbnails(user)
        var after: String?
        repeat {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects {
                let name = object.key.description.utf8.dropFirst(prefix.utf8.count)
                guard let digest = ContentDigest(Substring(name.prefix(32))) else { continue }
                found.digests.insert(digest)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return found
    }

    /// Adds a photo whose thumbnail is about to be made.
    /// - Returns: Whether it had no thumbnail.
    mutating func insert(_ digest: ContentDigest) -> Bool { digests.insert(digest).inserted }
}
