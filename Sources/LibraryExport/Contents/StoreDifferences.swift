import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// How the stored photos of a library differ from its catalog.
package struct StoreDifferences: Sendable {
    /// A stored object that is not exported, such as one below the prefix of photos whose key is not that of a photo.
    struct OtherObject: Sendable, Equatable {
        /// The key without the prefix.
        let name: String
        let size: Int64
    }

    /// Contents that are not stored.
    package internal(set) var missing: Set<ContentDigest> = []
    /// Contents that are archived in the store, if they are left out.
    package internal(set) var archived: Set<ContentDigest> = []
    /// The lengths in bytes of stored contents, where they are not those of the catalog: such a content is damaged.
    var sizes: [ContentDigest: Int64] = [:]
    /// Stored contents that are not in the catalog, in the order of their digests, with their lengths in bytes.
    var unlisted: [(md5: ContentDigest, size: Int64)] = []
    var others: [OtherObject] = []

    /// The most differences that an export can list.
    private static let limit = 1_000_000
    /// The most archived contents that are tried, because they may have been restored from the archive.
    private static let maximumTries = 1000

    package init() {}

    /// Compares a catalog with a store, without reading contents. One listing of each 1,000 objects.
    /// - Parameter leavesOutArchived: Whether archived contents are left out. Of the first 1,000, a byte is read: they may
    ///   have been restored.
    /// - Throws: `tooManyDifferences`, and the store's errors.
    package init(
        of catalog: Catalog, in store: some ObjectStore, user: UserID, leavesOutArchived: Bool
    ) async throws {
        let expected = catalog.contentsWithTrash
        var position = expected.startIndex
        let prefix = StorageLayout.photos(user)
        var (after, tries) = (String?.none, 0)
        while true {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects {
                guard let digest = Self.digest(object.key, user) else {
                    let name = String(object.key.description.dropFirst(prefix.count))
                    others.append(OtherObject(name: name, size: object.size))
                    continue
                }
                // Both are in the order of the digests.
                while position < expected.endIndex, expected[position].md5 < digest {
                    missing.insert(expected[position].md5)
                    position += 1
                }
                let isListed = position < expected.endIndex && expected[position].md5 == digest
                var isLeftOut = false
                if leavesOutArchived, object.isArchived {
                    tries += 1
                    isLeftOut = true
                    if tries <= Self.maximumTries { isLeftOut = try await Self.isArchived(object, in: store) }
                }
                if isListed {
                    if isLeftOut { archived.insert(digest) }
                    if expected[position].size != object.size { sizes[digest] = object.size }
                    position += 1
                } else if isLeftOut {
                    others.append(
                        OtherObject(name: String(object.key.description.dropFirst(prefix.count)), size: object.size))
                } else {
                    unlisted.append((digest, object.size))
                }
            }
            guard count <= Self.limit else { throw ExportError.tooManyDifferences }
            guard page.isTruncated, let last = page.objects.last else { break }
            after = last.key.description
        }
        missing.formUnion(expected[position...].lazy.map(\.md5))
        guard count <= Self.limit else { throw ExportError.tooManyDifferences }
    }

    /// Adds an object that is not exported.
    package mutating func add(leftOut name: String, size: Int64) { others.append(OtherObject(name: name, size: size)) }

    private var count: Int { missing.count + archived.count + sizes.count + unlisted.count + others.count }

    /// Returns whether an object of an archive was not restored from there.
    private static func isArchived(_ object: ListedObject, in store: some ObjectStore) async throws -> Bool {
        do throws(ObjectStoreError) {
            _ = try await store.read(object.key, range: object.size > 0 ? .closed(first: 0, last: 0) : nil)
            return false
        } catch {
            switch error {
            case .archived: return true
            case .corrupted: return false
            default: throw error
            }
        }
    }

    private static func digest(_ key: ObjectKey, _ user: UserID) -> ContentDigest? {
        let name = key.description.dropFirst(StorageLayout.photos(user).count).prefix { $0 != "." }
        guard let digest = ContentDigest(name), StorageLayout.photo(user, md5: "\(digest)") == key.description else {
            return nil
        }
        return digest
    }

    /// Returns whether the export has a content.
    func has(_ md5: ContentDigest) -> Bool { !missing.contains(md5) && !archived.contains(md5) }
}
