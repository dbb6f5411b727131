import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The sets of photos that have a thumbnail and a preview in the store.
struct StoredPictures: Sendable {
    private(set) var thumbnails: Set<ContentDigest> = []
    private(set) var previews: Set<ContentDigest> = []
    /// Those with thumbnails to replace, if they were looked for.
    private(set) var outdated: Set<ContentDigest> = []
    /// The version of each thumbnail, if it was requested.
    private(set) var versions: [ContentDigest: ContentDigest] = [:]

    /// Lists the thumbnails and previews. One request for each 1,000.
    static func load(
        from store: any ObjectStore, user: UserID, withVersions: Bool = false
    ) async throws(ObjectStoreError) -> StoredPictures {
        var found = StoredPictures()
        let (prefix, previews) = (StorageLayout.thumbnails(user), StorageLayout.previews(user))
        var after: String?
        repeat {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects {
                let name = object.key.description.utf8
                let isPreview = name.starts(with: previews.utf8)
                let rest = name.dropFirst(isPreview ? previews.utf8.count : prefix.utf8.count)
                guard let digest = ContentDigest(Substring(rest.prefix(32))) else { continue }
                if isPreview { found.previews.insert(digest) } else { found.thumbnails.insert(digest) }
                if withVersions, !isPreview { found.versions[digest] = version(of: digest, object.etag) }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return found
    }

    /// Returns a digest that differs for each photo and each state of its thumbnail.
    static func version(of photo: ContentDigest, _ etag: ETag) -> ContentDigest {
        ContentDigest(of: ByteBuffer(string: "\(photo) \(etag)"))
    }

    /// Marks thumbnails as outdated, and damaged previews as missing.
    mutating func apply(_ found: StoredPictureCheck.Found) {
        outdated = found.outdated
        previews.subtract(found.damagedPreviews)
    }

    /// Adds a photo whose pictures are about to be made.
    /// - Parameter withPreview: Whether it is to have a preview.
    /// - Returns: Whether it had no thumbnail, or not the preview.
    mutating func insert(_ digest: ContentDigest, withPreview: Bool) -> Bool {
        let isNew = thumbnails.insert(digest).inserted
        return withPreview && previews.insert(digest).inserted || isNew
    }
}
