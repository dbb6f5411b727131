import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import StorageAccess
import Synchronization

/// A store whose photos can be archived and are restored on a test's command. Passes everything else to another store.
package final class ArchivingObjectStore: ObjectStore, ArchiveRetrieval, DatedDeletion {
    private enum State {
        case archived, restoring, restored
    }

    private let store: any ObjectStore
    private let kind: ArchiveKind
    private let states = Mutex<[String: State]>([:])
    private let log = Mutex<[RetrievalRequest]>([])
    /// The result for retrieval requests in place of the normal one.
    package let forcedOutcome = Mutex<Result<RetrievalOutcome, ObjectStoreError>?>(nil)

    /// The number of retrieval requests, whatever their result.
    package let requestCount = Mutex(0)

    /// The keys whose state was requested, in order.
    package let stateRequests = Mutex<[String]>([])

    package init(_ store: any ObjectStore, _ kind: ArchiveKind = .flexible) { (self.store, self.kind) = (store, kind) }

    /// The retrieval orders, in order of arrival.
    package var acceptedRequests: [RetrievalRequest] { log.withLock { $0 } }

    /// Archives the objects below a prefix.
    /// - Parameter count: The maximum number of objects, from the first one.
    package func archive(below prefix: String, _ count: Int = 1000) async throws {
        let objects = try await store.list(prefix: prefix, after: nil, limit: count).objects
        states.withLock { states in for object in objects { states[object.key.description] = .archived } }
    }

    /// Completes all pending retrievals.
    package func completeRestores() { states.withLock { $0 = $0.mapValues { $0 == .restoring ? .restored : $0 } } }

    package func archiveState(_ key: ObjectKey) async throws(ObjectStoreError) -> ArchiveState? {
        stateRequests.withLock { $0.append(key.description) }
        guard try await store.head(key) != nil else { return nil }
        return switch states.withLock({ $0[key.description] }) {
        case nil, .restored: .readable
        case .archived: .archived(kind)
        case .restoring: .restoring(kind)
        }
    }

    package func restoreFromArchive(
        _ key: ObjectKey, _ order: RetrievalRequest
    ) async throws(ObjectStoreError) -> RetrievalOutcome? {
        requestCount.withLock { $0 += 1 }
        guard try await store.head(key) != nil else { return nil }
        if let answer = forcedOutcome.withLock({ $0 }) { return try answer.get() }
        guard let longest = kind.maximumDuration(order.tier) else { return .tierUnavailable }
        let isAsked = states.withLock { states in
            defer { if states[key.description] == .archived { states[key.description] = .restoring } }
            return states[key.description]
        }
        switch isAsked {
        case nil, .restored: return .available
        case .restoring: return .inProgress
        case .archived:
            log.withLock { $0.append(order) }
            return .started(within: longest)
        }
    }

    private func checkReadable(_ key: ObjectKey) throws(ObjectStoreError) {
        switch states.withLock({ $0[key.description] }) {
        case nil, .restored: return
        case .archived, .restoring: throw .archived
        }
    }

    private func recordWritten(_ key: ObjectKey) { states.withLock { $0[key.description] = nil } }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try checkReadable(key)
        return try await store.get(key, limit: limit)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await store.head(key) }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try checkReadable(key)
        return try await store.read(key, range: range)
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        let etag = try await store.put(key, bytes, if: condition)
        recordWritten(key)
        return etag
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        let info = try await store.write(key, body, attributes: attributes, if: condition)
        recordWritten(key)
        return info
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await store.delete(key, if: condition)
        recordWritten(key)
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        try await store.deleteDated(key, before: deadline)
        recordWritten(key)
    }

    package func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        let page = try await store.list(prefix: prefix, after: after, limit: limit)
        let states = states.withLock { $0 }
        let objects = page.objects.map { object in
            ListedObject(
                key: object.key, etag: object.etag, size: object.size, lastModified: object.lastModified,
                isArchived: states[object.key.description] != nil)
        }
        return ObjectPage(objects: objects, isTruncated: page.isTruncated)
    }
}

/// Every user's access to a store with an archive.
package struct ArchivingUserStores: UserStores {
    private let store: ArchivingObjectStore

    package init(_ store: ArchivingObjectStore) { self.store = store }

    package func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion { store }
}
