import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The jobs that one instance runs for all. Running one twice does no harm; leases save requests.
package enum SharedJob: String, Sendable, CaseIterable {
    case usage
    case devices
    case consent
    case missedNotifications = "missed-notifications"
    case deletions

    /// Returns the interval of the job.
    /// - Parameter usage: the configured interval for counting stored bytes.
    package func interval(countingUsageEvery usage: Duration) -> Duration {
        switch self {
        case .usage: usage
        case .devices: .seconds(86_400)
        // One hour more than a day, because no token may be checked twice in one day.
        case .consent: .seconds(90_000)
        case .missedNotifications: .seconds(3600)
        case .deletions: .seconds(600)
        }
    }
}

/// The stored record of a job's runs on all instances.
package struct JobRecord: Sendable, Equatable {
    /// When the job last ended without an error; `nil` if unknown.
    package let lastSuccessAt: Date?
    /// When the job was first started; `nil` if unknown.
    package let firstStartedAt: Date?
    /// When the last acquired lease ends; until then no other instance starts the job.
    package let leaseEndsAt: Date
    /// What the last complete run counted; `nil` if the job counts nothing.
    package let totals: JobTotals?

    init(_ document: LeaseDocument) {
        lastSuccessAt = document.lastSuccessAt
        firstStartedAt = document.firstStartedAt
        leaseEndsAt = document.endsAt
        totals = document.totals
    }

    /// The time from which the job's delay is measured.
    package var reference: Date? { lastSuccessAt ?? firstStartedAt }
}

/// Leases that make one instance run a job for all: the instance that acquires the lease runs the job, the others wait
/// until the lease ends. If an instance fails while it holds a lease, the job is delayed by at most the lease duration.
package struct JobLeases: Sendable {
    /// The acquired lease, or `nil` if another instance holds it, and the stored record of the job.
    package struct Acquisition: Sendable {
        package let lease: JobLease?
        package let record: JobRecord?
    }

    private let documents: Documents<LeaseDocument>
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(
        store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        self.now = now
        self.randomness = randomness
    }

    /// Returns the stored record of a job, or `nil` for a job that was never started. One read.
    package func record(of job: SharedJob) async throws(ObjectStoreError) -> JobRecord? {
        try await documents.load(ObjectKey(known: StorageLayout.lease(job.rawValue))).map { JobRecord($0.value) }
    }

    /// What `makeDue` found.
    package enum Due: Sendable, Equatable {
        /// The next instance that checks, within a minute, starts the job.
        case due
        /// An instance runs it now or failed while it did; the lease ends at this time.
        case running(until: Date)
    }

    /// Makes a finished job due at once, so that an instance starts it when it next checks. One read, and one write.
    package func makeDue(_ job: SharedJob) async throws(ObjectStoreError) -> Due {
        let key = ObjectKey(known: StorageLayout.lease(job.rawValue))
        let time = now()
        guard let known = try await documents.load(key), known.value.endsAt > time else { return .due }
        guard known.value.isFinished == true else { return .running(until: known.value.endsAt) }
        var next = known.value
        next.endsAt = time
        do {
            _ = try await documents.replace(key, known, with: next)
        } catch .preconditionFailed {
            // Another instance has just acquired it.
        }
        return .due
    }

    /// Acquires a job's lease unless another instance holds it. One read, and one write if it is acquired.
    /// - Parameter duration: the lease duration in seconds.
    package func acquire(_ job: String, for duration: TimeInterval) async throws(ObjectStoreError) -> Acquisition {
        let key = ObjectKey(known: StorageLayout.lease(job))
        let time = now()
        let known = try await documents.load(key)
        let record = known.map { JobRecord($0.value) }
        // A lease that ends later than any lease could comes from a wrong clock or from a longer configured interval.
        if let end = known?.value.endsAt, end > time, end <= time.addingTimeInterval(duration * 2) {
            return Acquisition(lease: nil, record: record)
        }
        let document = LeaseDocument(
            version: 1, id: randomness.uuid(), endsAt: time.addingTimeInterval(duration),
            lastSuccessAt: known?.value.lastSuccessAt, firstStartedAt: known?.value.firstStartedAt ?? time,
            totals: known?.value.totals)
        do {
            let stored: Stored<LeaseDocument>
            if let known {
                stored = try await documents.replace(key, known, with: document)
            } else {
                stored = try await documents.create(key, document)
            }
            let lease = JobLease(stored, at: key, in: documents, for: duration, from: time, now: now)
            return Acquisition(lease: lease, record: JobRecord(document))
        } catch .preconditionFailed {
            return Acquisition(lease: nil, record: record)
        }
    }
}
