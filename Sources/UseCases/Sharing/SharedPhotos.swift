import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Sharing
import StorageAccess
import Synchronization

/// What a shared link shows at the moment.
package struct SharedPhotos: Sendable {
    package let link: SharedLink
    /// The photos by date. Visitors learn neither their paths nor their places.
    package let timeline: Timeline
    /// Changes with the photos.
    package let name: String
    let credentials: StorageCredentials
}

/// The photos of a link as they were read last.
struct CachedSharedPhotos: Sendable {
    let content: SharedContent
    let version: CatalogStore.Version
    /// The tag of the albums, if the link shows one.
    let albums: ETag?
    let timeline: Timeline

    /// The approximate size in memory, in bytes. The catalog counts in full, although links of one library share it.
    var cost: Int { 4096 + version.catalog.bytesInMemory + timeline.bytesInMemory }
}

/// The process-wide cache of the photos of shared links, and of the credentials that sign their addresses.
final class SharedPhotosCache: Sendable {
    private let photos: Mutex<LRUCache<SharedLinkID, CachedSharedPhotos>>
    private let credentials = Mutex(LRUCache<SharedLinkID, CachedCredentials>(limit: 4096))
    private let removals = Mutex(LRUCache<ObjectVersion, LocationRemoval?>(limit: 16 << 20))

    /// One content of an object.
    struct ObjectVersion: Hashable, Sendable {
        let key: ObjectKey
        let etag: ETag
    }

    /// - Parameter limit: The total size of all photos, in bytes.
    init(limit: Int) { photos = Mutex(LRUCache(limit: limit)) }

    func photos(of link: SharedLinkID) -> CachedSharedPhotos? { photos.withLock { $0.value(for: link) } }

    func store(_ found: CachedSharedPhotos, of link: SharedLinkID) {
        photos.withLock { $0.insert(found, for: link, cost: found.cost) }
    }

    func credentials(of link: SharedLinkID) -> CachedCredentials? { credentials.withLock { $0.value(for: link) } }

    func store(_ held: CachedCredentials, of link: SharedLinkID) {
        credentials.withLock { $0.insert(held, for: link, cost: 1) }
    }

    /// Returns how the location is removed from an object; `.some(nil)` if it cannot be.
    func removal(from object: ObjectVersion) -> LocationRemoval?? { removals.withLock { $0.value(for: object) } }

    func store(_ removal: LocationRemoval?, from object: ObjectVersion) {
        let cost = 256 + (removal?.bytesInMemory ?? 0)
        removals.withLock { $0.insert(removal, for: object, cost: cost) }
    }
}
