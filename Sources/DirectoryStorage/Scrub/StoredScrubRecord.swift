import ObjectStorage

/// The record of a folder's scrub, which several processes change.
struct StoredScrubRecord: Sendable {
    private static let attempts = 20

    private let documents: Documents<ScrubRecord>
    private let key: ObjectKey
    private let retry: RetryPolicy

    init(_ store: DirectoryObjectStore, _ key: ObjectKey, _ retry: RetryPolicy) {
        documents = Documents(store: store, retry: retry)
        self.key = key
        self.retry = retry
    }

    func loadOrCreate(_ record: ScrubRecord) async throws(ObjectStoreError) -> ScrubRecord {
        if let stored = try await documents.load(key) { return stored.value }
        do throws(ObjectStoreError) { return try await documents.create(key, record).value } catch {
            guard error == .preconditionFailed, let stored = try await documents.load(key) else { throw error }
            return stored.value
        }
    }

    /// Replaces the record, if there is one. An unreadable one is deleted, because it may name objects.
    /// - Parameter change: Called for each attempt, with the stored record.
    func update(
        _ change: @Sendable (inout ScrubRecord) async throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) {
        for attempt in 0..<Self.attempts {
            let found: Stored<ScrubRecord>?
            do throws(ObjectStoreError) { found = try await documents.load(key) } catch {
                guard case .corrupted = error else { throw error }
                try await documents.writes.delete(key, if: .always)
                return
            }
            guard let stored = found else { return }
            var record = stored.value
            try await change(&record)
            do throws(ObjectStoreError) {
                _ = try await documents.replace(key, stored, with: record)
                return
            } catch {
                guard error == .preconditionFailed else { throw error }
                await retry.pause(after: attempt)
            }
        }
        throw .conflict
    }
}
