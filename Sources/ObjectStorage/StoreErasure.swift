import Foundation

/// Counts and erases all objects below a prefix for good: on a versioned bucket with their earlier versions and delete
/// markers, and with the parts of unfinished multipart uploads.
package protocol StoreErasure: Sendable {
    /// Counts what `erase` would remove.
    /// - Parameter kept: keys that stay.
    func count(below prefix: String, except kept: Set<ObjectKey>) async throws(ObjectStoreError) -> ErasedObjects

    /// Erases what is below a prefix when it is called. May be interrupted and repeated.
    func erase(below prefix: String, except kept: Set<ObjectKey>) async throws(ObjectStoreError)

    /// Counts the versions and delete markers of one object.
    /// - Parameter isCurrentKept: whether the current object stays.
    func count(_ key: ObjectKey, keepingCurrent isCurrentKept: Bool) async throws(ObjectStoreError) -> ErasedObjects

    /// Erases the versions and delete markers of one object, the current one last.
    /// - Parameter isCurrentKept: whether the current object stays.
    func erase(_ key: ObjectKey, keepingCurrent isCurrentKept: Bool) async throws(ObjectStoreError)
}

/// A store that keeps data of deleted objects in files of its own, such as a log.
package protocol DeletedDataErasure: Sendable {
    /// Erases what is left of objects that were deleted or replaced, and removes the empty folders of prefixes.
    /// - Throws: `unavailable` if others use the data; try again later.
    func eraseDeletedData(below prefixes: [String]) async throws(ObjectStoreError)
}

/// Numbers of erased objects.
package struct ErasedObjects: Codable, Sendable, Equatable {
    package var objects = 0
    /// Earlier versions, on a versioned bucket.
    package var versions = 0
    /// Delete markers, on a versioned bucket.
    package var deleteMarkers = 0
    /// Unfinished multipart uploads.
    package var uploads = 0
    /// The total size of objects and versions, in bytes.
    package var bytes: Int64 = 0

    package init(objects: Int = 0, versions: Int = 0, deleteMarkers: Int = 0, uploads: Int = 0, bytes: Int64 = 0) {
        self.objects = objects
        self.versions = versions
        self.deleteMarkers = deleteMarkers
        self.uploads = uploads
        self.bytes = bytes
    }

    package var isEmpty: Bool { self == ErasedObjects() }

    package static func - (left: ErasedObjects, right: ErasedObjects) -> ErasedObjects {
        ErasedObjects(
            objects: max(0, left.objects - right.objects), versions: max(0, left.versions - right.versions),
            deleteMarkers: max(0, left.deleteMarkers - right.deleteMarkers),
            uploads: max(0, left.uploads - right.uploads), bytes: max(0, left.bytes - right.bytes))
    }

    package static func += (sum: inout ErasedObjects, other: ErasedObjects) {
        sum.objects += other.objects
        sum.versions += other.versions
        sum.deleteMarkers += other.deleteMarkers
        sum.uploads += other.uploads
        sum.bytes += other.bytes
    }
}

/// Erases by listing and deleting: for a store that keeps no versions and no parts outside its own keys.
package struct ListedErasure: StoreErasure {
    private let store: any ObjectStore

    package init(_ store: any ObjectStore) { self.store = store }

    package func count(
        below prefix: String, except kept: Set<ObjectKey>
    ) async throws(ObjectStoreError) -> ErasedObjects {
        var count = ErasedObjects()
        var after: String?
        repeat {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects where !kept.contains(object.key) {
                count += ErasedObjects(objects: 1, bytes: object.size)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return count
    }

    package func erase(below prefix: String, except kept: Set<ObjectKey>) async throws(ObjectStoreError) {
        var after: String?
        repeat {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            let keys = page.objects.map(\.key).filter { !kept.contains($0) }
            try await forEachConcurrently(keys, atMost: store.isLocal ? 1 : 16) {
                [store] (key) async throws(ObjectStoreError) in try await store.delete(key, if: .always)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
    }

    package func count(
        _ key: ObjectKey, keepingCurrent isCurrentKept: Bool
    ) async throws(ObjectStoreError) -> ErasedObjects {
        guard !isCurrentKept, let info = try await store.head(key) else { return ErasedObjects() }
        return ErasedObjects(objects: 1, bytes: info.size)
    }

    package func erase(_ key: ObjectKey, keepingCurrent isCurrentKept: Bool) async throws(ObjectStoreError) {
        if !isCurrentKept { try await store.delete(key, if: .always) }
    }
}

/// Performs an operation on each item, a few concurrently, and ends at the first failure.
package func forEachConcurrently<Item: Sendable>(
    _ items: [Item], atMost limit: Int = 16, _ act: @escaping @Sendable (Item) async throws(ObjectStoreError) -> Void
) async throws(ObjectStoreError) {
    let failure = await withTaskGroup(of: ObjectStoreError?.self) { group in
        var failure: ObjectStoreError?
        for (index, item) in items.enumerated() {
            if index >= limit { failure = await group.next().flatMap { $0 } ?? failure }
            guard failure == nil else { break }
            group.addTask {
                do throws(ObjectStoreError) {
                    try await act(item)
                    return nil
                } catch {
                    return error
                }
            }
        }
        return await group.reduce(failure) { $0 ?? $1 }
    }
    if let failure { throw failure }
}
