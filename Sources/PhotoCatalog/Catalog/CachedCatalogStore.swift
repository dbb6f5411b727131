import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A photo store that can only read the catalog as it is in this device's cache. Everything else is unavailable.
package struct CachedCatalogStore: ObjectStore {
    private let documents: [String: CachedDocument]
    private let cache: any CatalogCache
    private static let offline = ObjectStoreError.unavailable("not in this device's copy of the catalog")

    package init(_ cache: any CatalogCache, of user: UserID) {
        self.cache = cache
        documents = [
            StorageLayout.catalogPointer(user): .pointer, StorageLayout.favorites(user): .favorites,
            StorageLayout.albums(user): .albums, StorageLayout.hidden(user): .hidden,
        ]
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        guard let document = documents[key.description], let bytes = await cache.read(document) else {
            // Without the document, the library may have had no favorites, hidden photos or albums.
            guard [.favorites, .albums, .hidden].contains(documents[key.description]) else { throw Self.offline }
            return nil
        }
        guard bytes.readableBytes <= limit else { throw .tooLarge(limit: limit) }
        return StoredObject(bytes: bytes, etag: ETag(document.rawValue))
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { throw Self.offline }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        throw Self.offline
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag { throw Self.offline }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo { throw Self.offline }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        throw Self.offline
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage { throw Self.offline }
}
