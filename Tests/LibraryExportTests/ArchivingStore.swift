import NIOCore
import ObjectStorage

/// A store with an archive.
struct ArchivingStore: ObjectStore {
    let base: MemoryObjectStore
    let archived: Set<ObjectKey>
    /// Those that were not restored from the archive.
    let unreadable: Set<ObjectKey>

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await base.get(key, limit: limit)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await base.head(key) }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        guard !unreadable.contains(key) else { throw .archived }
        return try await base.read(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition) async throws(ObjectStoreError) -> ETag {
        try await base.put(key, bytes, if: condition)
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await base.write(key, body, attributes: attributes, if: condition)
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await base.delete(key, if: condition)
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        let page = try await base.list(prefix: prefix, after: after, limit: limit)
        let objects = page.objects.map {
            ListedObject(
                key: $0.key, etag: $0.etag, size: $0.size, lastModified: $0.lastModified,
                isArchived: archived.contains($0.key))
        }
        return ObjectPage(objects: objects, isTruncated: page.isTruncated)
    }
}
