import ObjectStorage

/// Erases what a folder keeps of deleted objects, and the record of its scrub.
package struct ScrubErasure: DeletedDataErasure {
    private let store: DirectoryObjectStore
    private let record: StoredScrubRecord

    /// - Parameter key: The key of the record.
    package init(_ store: DirectoryObjectStore, record key: ObjectKey, retry: RetryPolicy) {
        self.store = store
        record = StoredScrubRecord(store, key, retry)
    }

    /// Removes the position and findings below the prefixes from the record, then what is left of deleted objects.
    ///
    /// Replaces the record in any case: a scrub that is running and may have read objects before they were deleted then
    /// fails to write its next position, and continues from this one. A scrub writes its record before it reads objects.
    package func eraseDeletedData(below prefixes: [String]) async throws(ObjectStoreError) {
        try await record.update { [store] (record) async throws(ObjectStoreError) in
            try await record.forget(below: prefixes) { (prefix) async throws(ObjectStoreError) in
                // In the order of keys, 0 follows the slash.
                let end = "\(prefix.dropLast())0"
                return try await store.databases.users.list(after: end, limit: 1).objects.first?.key.description
            }
        }
        try await store.eraseDeletedData(below: prefixes)
    }
}
