import NIOCore
import ObjectStorage
import Synchronization

/// Sends calls alternately to two stores.
final class AlternatingObjectStore: ObjectStore {
    private let stores: [any ObjectStore]
    private let turn = Atomic<Int>(0)

    init(_ one: any ObjectStore, _ other: any ObjectStore) { stores = [one, other] }

    private var next: any ObjectStore { stores[turn.wrappingAdd(1, ordering: .relaxed).newValue & 1] }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await next.get(key, limit: limit)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await next.head(key) }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await next.read(key, range: range)
    }

    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await next.put(key, bytes, if: condition)
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await next.write(key, body, attributes: attributes, if: condition)
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await next.delete(key, if: condition)
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await next.list(prefix: prefix, after: after, limit: limit)
    }
}
