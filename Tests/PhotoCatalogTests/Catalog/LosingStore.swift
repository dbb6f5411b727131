import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A store that performs every `put` and loses the response.
final class LosingStore: ObjectStore {
    private let memory = MemoryObjectStore(now: { Date(timeIntervalSince1970: 0) })
    let puts = Mutex(0)

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await memory.get(key, limit: limit)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await memory.head(key) }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await memory.read(key, range: range)
    }

    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        puts.withLock { $0 += 1 }
        _ = try await memory.put(key, bytes, if: condition)
        throw .outcomeUnknown("connection reset")
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await memory.write(key, body, attributes: attributes, if: condition)
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await memory.delete(key, if: condition)
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await memory.list(prefix: prefix, after: after, limit: limit)
    }
}
