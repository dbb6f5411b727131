import NIOCore
import ObjectStorage
import Synchronization

/// A store whose photos can be archived and are restored on a test's command. Passes everything else to another store.
package final class ArchivingObjectStore: ObjectStore, ArchiveRetrieval {
    private enum State {
        case archived, onItsWay, back
    }

    private let store: any ObjectStore
    private let states = Mutex<[String: State]>([:])
    private let log = Mutex<[RetrievalOrder]>([])
    /// The result for retrieval requests in place of the normal one.
    package let answer = Mutex<Result<RetrievalAnswer, ObjectStoreError>?>(nil)

    /// The number of retrieval requests, whatever their result.
    package let questions = Mutex(0)

    package init(_ store: any ObjectStore) { self.store = store }

    /// The retrieval orders, in order of arrival.
    package var orders: [RetrievalOrder] { log.withLock { $0 } }

    /// Archives the objects below a prefix.
    /// - Parameter count: The maximum number of objects, from the first one.
    package func archive(below prefix: String, _ count: Int = 1000) async throws {
        let objects = try await store.list(prefix: prefix, after: nil, limit: count).objects
        states.withLock { states in for object in objects { states[object.key.description] = .archived } }
    }

    /// Completes all pending retrievals.
    package func bringBack() { states.withLock { $0 = $0.mapValues { $0 == .onItsWay ? .back : $0 } } }

    package func askBack(
        _ key: ObjectKey, _ order: RetrievalOrder
    ) async throws(ObjectStoreError) -> RetrievalAnswer? {
        questions.withLock { $0 += 1 }
        guard try await store.head(key) != nil else { return nil }
        if let answer = answer.withLock({ $0 }) { return try answer.get() }
        let isAsked = states.withLock { states in
            defer { if states[key.description] == .archived { states[key.description] = .onItsWay } }
            return states[key.description]
        }
        switch isAsked {
        case nil, .back: return .readable
        case .onItsWay: return .onItsWay
        case .archived:
            log.withLock { $0.append(order) }
            return .asked(within: .seconds(5 * 3600))
        }
    }

    private func checkReadable(_ key: ObjectKey) throws(ObjectStoreError) {
        switch states.withLock({ $0[key.description] }) {
        case nil, .back: return
        case .archived, .onItsWay: throw .archived
        }
    }

    private func noteWritten(_ key: ObjectKey) { states.withLock { $0[key.description] = nil } }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try checkReadable(key)
        return try await store.get(key, limit: limit)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await store.head(key) }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> ObjectReading? {
        try checkReadable(key)
        return try await store.read(key, range: range)
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        let etag = try await store.put(key, bytes, if: condition)
        noteWritten(key)
        return etag
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        let info = try await store.write(key, body, attributes: attributes, if: condition)
        noteWritten(key)
        return info
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await store.delete(key, if: condition)
        noteWritten(key)
    }

    package func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await store.list(prefix: prefix, after: after, limit: limit)
    }
}
