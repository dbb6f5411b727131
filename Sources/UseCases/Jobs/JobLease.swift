import Foundation
import ObjectStorage

/// `service/leases/{job}.json`: the lease of a job that one instance runs for all.
struct LeaseDocument: VersionedDocument {
    var version: Int
    /// Unique to this lease, so that no two leases have the same bytes.
    var id: UUID
    var endsAt: Date
    /// When the job last ended without an error, on any instance; `nil` before that and in documents of older versions.
    var lastSuccessAt: Date?
    /// When the job was first started; `nil` in documents of older versions.
    var firstStartedAt: Date?
    /// Whether the job has ended without an error under this lease.
    var isFinished: Bool?
    /// What was last counted; `nil` if the job counts nothing, and in documents of older versions.
    var totals: JobTotals?
}

/// A lease that this instance holds.
package actor JobLease {
    private let documents: Documents<LeaseDocument>
    private let key: ObjectKey
    private let duration: TimeInterval
    private let startedAt: Date
    private let now: @Sendable () -> Date
    private var stored: Stored<LeaseDocument>
    private var wasExtended = false

    init(
        _ stored: Stored<LeaseDocument>, at key: ObjectKey, in documents: Documents<LeaseDocument>,
        for duration: TimeInterval, from startedAt: Date, now: @escaping @Sendable () -> Date
    ) {
        self.stored = stored
        self.key = key
        self.documents = documents
        self.duration = duration
        self.startedAt = startedAt
        self.now = now
    }

    /// What the last complete run counted.
    var totals: JobTotals? { stored.value.totals }

    /// Returns whether this instance still holds the lease. Once a third of the lease has passed, extends it with one
    /// write.
    func renew() async throws(ObjectStoreError) -> Bool {
        let time = now()
        guard stored.value.endsAt.timeIntervalSince(time) < duration * 2 / 3 else { return true }
        wasExtended = true
        return try await update(to: time.addingTimeInterval(duration))
    }

    /// Records the job's success. The job is due again when the original lease ends. One write.
    /// - Parameter totals: what the run counted.
    /// - Returns: the time of the success; `nil` if another instance has acquired the lease since and finishes the job.
    func finish(_ totals: JobTotals?) async throws(ObjectStoreError) -> Date? {
        let time = now()
        let end = wasExtended ? max(time, startedAt.addingTimeInterval(duration)) : stored.value.endsAt
        return try await update(to: end, succeededAt: time, totals) ? time : nil
    }

    /// Releases the lease after the job was abandoned, so that any instance can acquire it at once.
    func release() async throws(ObjectStoreError) { _ = try await update(to: now()) }

    private func update(
        to end: Date, succeededAt success: Date? = nil, _ totals: JobTotals? = nil
    ) async throws(ObjectStoreError) -> Bool {
        var next = stored.value
        next.endsAt = end
        if let success { (next.lastSuccessAt, next.isFinished) = (success, true) }
        if let totals { next.totals = totals }
        do {
            stored = try await documents.replace(key, stored, with: next)
            return true
        } catch .preconditionFailed {
            return false
        }
    }
}
