import ObjectStorage

/// Records the result of a whole pass that a command makes.
package struct ScrubResult: Sendable {
    private let record: StoredScrubRecord

    /// - Parameter key: The key of the record.
    package init(_ store: DirectoryObjectStore, record key: ObjectKey, retry: RetryPolicy) {
        record = StoredScrubRecord(store, key, retry)
    }

    /// Writes the record before the pass reads an object, unless there is one, so that an erasure finds it.
    /// - Returns: The stored record.
    package func begin(_ pass: ScrubRecord) async throws(ObjectStoreError) -> ScrubRecord {
        try await record.loadOrCreate(pass)
    }

    /// Replaces the record. Findings are not named if an account was erased since the pass began.
    /// - Parameter initial: The stored record when the pass began.
    package func save(_ pass: ScrubRecord, since initial: ScrubRecord) async throws(ObjectStoreError) {
        try await record.update { record in
            let current = record
            record = pass
            record.takeErasures(since: initial, from: current)
        }
    }
}
