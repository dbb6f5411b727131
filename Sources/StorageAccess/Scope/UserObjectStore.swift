import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A store restricted to the access of one user's credentials. The service accesses a user's library only through it,
/// so that a bug cannot affect other users.
package struct UserObjectStore: ObjectStore, DatedDeletion {
    private let store: any ObjectStore & DatedDeletion
    private let policy: UserStoragePolicy

    package init(_ store: any ObjectStore & DatedDeletion, policy: UserStoragePolicy) {
        self.store = store
        self.policy = policy
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try check(.getObject, key)
        return try await store.get(key, limit: limit)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try check(.getObject, key)
        return try await store.head(key)
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try check(.getObject, key)
        return try await store.read(key, range: range)
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try check(.putObject, key)
        return try await store.put(key, bytes, if: condition)
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try check(.putObject, key)
        return try await store.write(key, body, attributes: attributes, if: condition)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try check(.deleteObject, key)
        try await store.delete(key, if: condition)
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        try check(.deleteObject, key)
        try await store.delete(key, before: deadline)
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        guard policy.allowsListing(prefix: prefix) else { throw .denied("listing \(prefix)") }
        return try await store.list(prefix: prefix, after: after, limit: limit)
    }

    private func check(_ action: StorageAction, _ key: ObjectKey) throws(ObjectStoreError) {
        guard policy.allows(action, key: key.description) else { throw .denied("\(action.rawValue) of \(key)") }
    }
}
