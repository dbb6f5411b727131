import Foundation
import ObjectStorage

/// `service/leases/{job}.json`: until when one copy of the service does a job for all.
struct LeaseDocument: VersionedDocument {
    var version: Int
    /// Of this one lease: no two have the same bytes.
    var id: UUID
    var endsAt: Date
    /// When the job last ended without an error, on any instance; `nil` until it has, and in documents of older versions.
    var lastSuccessAt: Date?
    /// When the job was first started; `nil` in documents of older versions.
    var firstStartedAt: Date?
}

/// A lease that this copy has taken.
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

    /// Whether the job is still this copy's. Once a third of the lease is over, one write makes it last again.
    func keep() async throws(ObjectStoreError) -> Bool {
        let time = now()
        guard stored.value.endsAt.timeIntervalSince(time) < duration * 2 / 3 else { return true }
        wasExtended = true
        return try await move(to: time.addingTimeInterval(duration))
    }

    /// Records the job's success. The job is due again when the lease ends that was first taken. One write.
    /// - Returns: when the job succeeded; `nil` where another instance has taken it since, which finishes it.
    func finish() async throws(ObjectStoreError) -> Date? {
        let time = now()
        let end = wasExtended ? max(time, startedAt.addingTimeInterval(duration)) : stored.value.endsAt
        return try await move(to: end, succeededAt: time) ? time : nil
    }

    /// The job was left: any copy may take it at once.
    func giveBack() async throws(ObjectStoreError) { _ = try await move(to: now()) }

    private func move(to end: Date, succeededAt success: Date? = nil) async throws(ObjectStoreError) -> Bool {
        var next = stored.value
        next.endsAt = end
        if let success { next.lastSuccessAt = success }
        do {
            stored = try await documents.replace(key, stored, with: next)
            return true
        } catch .preconditionFailed {
            return false
        }
    }
}
