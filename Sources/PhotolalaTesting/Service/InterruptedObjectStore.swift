import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A store that runs a closure before one chosen request, so that a test can cover every interleaving in which one
/// operation pauses.
package final class InterruptedObjectStore: ObjectStore, DatedDeletion {
    private struct State {
        var remaining = 0
        var interruption: (@Sendable () async -> Void)?
    }

    private let store: any ObjectStore
    private let state = Mutex(State())

    package init(_ store: any ObjectStore) { self.store = store }

    /// Runs a closure before one of the following requests.
    /// - Parameter call: The index of the request, counted from 0.
    package func interrupt(before call: Int, by act: @escaping @Sendable () async -> Void) {
        state.withLock { $0 = State(remaining: call, interruption: act) }
    }

    /// Whether the chosen request is still to come.
    package var isWaiting: Bool { state.withLock { $0.interruption != nil } }

    private func next() async {
        let interruption = state.withLock { state in
            guard let interruption = state.interruption else { return nil as (@Sendable () async -> Void)? }
            guard state.remaining == 0 else {
                state.remaining -= 1
                return nil
            }
            state.interruption = nil
            return interruption
        }
        await interruption?()
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        await next()
        return try await store.get(key, limit: limit)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        await next()
        return try await store.head(key)
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        await next()
        return try await store.read(key, range: range)
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        await next()
        return try await store.put(key, bytes, if: condition)
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        await next()
        return try await store.write(key, body, attributes: attributes, if: condition)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        await next()
        try await store.delete(key, if: condition)
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        await next()
        try await store.deleteDated(key, before: deadline)
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        await next()
        return try await store.list(prefix: prefix, after: after, limit: limit)
    }
}
