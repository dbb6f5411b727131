import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A memory store that counts requests and bytes.
package final class CountingObjectStore: ObjectStore {
    package struct Traffic: Equatable {
        package var requests = 0
        package var bytes = 0

        package init(requests: Int = 0, bytes: Int = 0) { (self.requests, self.bytes) = (requests, bytes) }
    }

    package let memory: MemoryObjectStore
    private let traffic = Mutex(Traffic())

    package init(now: @escaping @Sendable () -> Date) { memory = MemoryObjectStore(now: now) }

    /// Returns the requests and bytes since the last call, and resets them.
    package func drain() -> Traffic {
        traffic.withLock { moved in
            defer { moved = Traffic() }
            return moved
        }
    }

    private func count(_ bytes: Int) {
        traffic.withLock {
            $0.requests += 1
            $0.bytes += bytes
        }
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        let found = try await memory.get(key, limit: limit)
        count(found?.bytes.readableBytes ?? 0)
        return found
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        count(0)
        return try await memory.head(key)
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        let reading = try await memory.read(key, range: range)
        count(reading?.offsets.count ?? 0)
        return reading
    }

    package func put(_ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition) async throws(ObjectStoreError)
        -> ETag
    {
        count(bytes.readableBytes)
        return try await memory.put(key, bytes, if: condition)
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        count(Int(body.size))
        return try await memory.write(key, body, attributes: attributes, if: condition)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        count(0)
        try await memory.delete(key, if: condition)
    }

    package func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        let page = try await memory.list(prefix: prefix, after: after, limit: limit)
        // Approximately the size of one object in a listing of S3.
        count(300 * page.objects.count)
        return page
    }
}
