import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// How the stored photos of a library differ from its catalog.
package struct StoreDifferences: Sendable {
    /// Contents that are not stored.
    package var missing: Set<ContentDigest> = []
    /// The lengths in bytes of stored contents, where they are not those of the catalog: such a content is damaged.
    package var sizes: [ContentDigest: Int64] = [:]
    /// Stored contents that are not in the catalog, in the order of their digests, with their lengths in bytes.
    package var unlisted: [(md5: ContentDigest, size: Int64)] = []

    /// The most differences that an export can list.
    private static let limit = 1_000_000

    package init() {}

    /// Compares a catalog with a store, without reading contents. One listing of each 1,000 objects.
    /// - Throws: `tooManyDifferences`, and the store's errors.
    package init(of catalog: Catalog, in store: some ObjectStore, user: UserID) async throws {
        let expected = catalog.contentsWithTrash
        var position = expected.startIndex
        var after: String?
        let prefix = StorageLayout.photos(user)
        while true {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects {
                // Both are in the order of the digests.
                guard let digest = Self.digest(object.key, user) else { continue }
                while position < expected.endIndex, expected[position].md5 < digest {
                    missing.insert(expected[position].md5)
                    position += 1
                }
                guard position < expected.endIndex, expected[position].md5 == digest else {
                    unlisted.append((digest, object.size))
                    continue
                }
                if expected[position].size != object.size { sizes[digest] = object.size }
                position += 1
            }
            guard count <= Self.limit else { throw ExportError.tooManyDifferences }
            guard page.isTruncated, let last = page.objects.last else { break }
            after = last.key.description
        }
        missing.formUnion(expected[position...].lazy.map(\.md5))
        guard count <= Self.limit else { throw ExportError.tooManyDifferences }
    }

    private var count: Int { missing.count + sizes.count + unlisted.count }

    private static func digest(_ key: ObjectKey, _ user: UserID) -> ContentDigest? {
        let name = key.description.dropFirst(StorageLayout.photos(user).count).prefix { $0 != "." }
        guard let digest = ContentDigest(name), StorageLayout.photo(user, md5: "\(digest)") == key.description else {
            return nil
        }
        return digest
    }
}
