import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A store that records every request before it passes it on.
package final class RecordingObjectStore: ObjectStore, DatedDeletion {
    /// One request: the operation and the key.
    package struct Request: Sendable, Hashable {
        package enum Kind: String, Sendable {
            case read
            case write
            /// A write from a stream, which may be sent in parts.
            case stream
            case delete
            case list
        }

        package let kind: Kind
        package let key: String
    }

    private let store: any ObjectStore
    private let log = Mutex<[Request]>([])

    package init(_ store: any ObjectStore) { self.store = store }

    /// Returns the requests since the last call.
    package func drainRequests() -> [Request] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    private func record(_ kind: Request.Kind, _ key: String) { log.withLock { $0.append(.init(kind: kind, key: key)) } }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        record(.read, key.description)
        return try await store.get(key, limit: limit)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        record(.read, key.description)
        return try await store.head(key)
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        record(.read, key.description)
        return try await store.read(key, range: range)
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        record(.write, key.description)
        return try await store.put(key, bytes, if: condition)
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        record(.stream, key.description)
        return try await store.write(key, body, attributes: attributes, if: condition)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        record(.delete, key.description)
        try await store.delete(key, if: condition)
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        record(.delete, key.description)
        try await store.deleteDated(key, before: deadline)
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        record(.list, prefix)
        return try await store.list(prefix: prefix, after: after, limit: limit)
    }
}
