import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Jobs that one copy does for all. They may be done twice without harm; leases save the requests.
package enum SharedJob: String, Sendable, CaseIterable {
    case usage
    case devices
    case consent
    case missedNotifications = "missed-notifications"

    /// How often the job is done.
    /// - Parameter usage: the setting for counting what accounts store.
    package func interval(countingUsageEvery usage: Duration) -> Duration {
        switch self {
        case .usage: usage
        case .devices: .seconds(86_400)
        // An hour more than a day: no token may be asked about twice in one day.
        case .consent: .seconds(90_000)
        case .missedNotifications: .seconds(3600)
        }
    }
}

/// What the store has of a job's runs on all instances.
package struct JobRecord: Sendable, Equatable {
    /// When the job last ended without an error; `nil` where that is not known.
    package let lastSuccessAt: Date?
    /// When the job was first started; `nil` where that is not known.
    package let firstStartedAt: Date?
    /// When the lease ends that was taken last: until then no other instance starts the job.
    package let leaseEndsAt: Date

    init(_ document: LeaseDocument) {
        lastSuccessAt = document.lastSuccessAt
        firstStartedAt = document.firstStartedAt
        leaseEndsAt = document.endsAt
    }

    /// The moment from which the job's delay counts.
    package var reference: Date? { lastSuccessAt ?? firstStartedAt }
}

/// Lets one copy of the service do a job for all: whoever takes its lease does it, the others wait for the lease's end.
/// A copy that dies with a lease delays the job by no more than the lease.
package struct JobLeases: Sendable {
    /// A lease, unless another instance holds it, and what the store had of the job before.
    struct Answer: Sendable {
        let lease: JobLease?
        let record: JobRecord?
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

    /// What the store has of a job; `nil` for a job that was never started. One read.
    package func record(of job: SharedJob) async throws(ObjectStoreError) -> JobRecord? {
        try await documents.load(ObjectKey(known: StorageLayout.lease(job.rawValue))).map { JobRecord($0.value) }
    }

    /// Takes a job's lease, unless another one holds it. One read, and one write when it is taken.
    /// - Parameter duration: seconds.
    func take(_ job: String, for duration: TimeInterval) async throws(ObjectStoreError) -> Answer {
        let key = ObjectKey(known: StorageLayout.lease(job))
        let time = now()
        let known = try await documents.load(key)
        let record = known.map { JobRecord($0.value) }
        // One that ends later than any could comes from another clock, or from a longer interval in the settings.
        if let end = known?.value.endsAt, end > time, end <= time.addingTimeInterval(duration * 2) {
            return Answer(lease: nil, record: record)
        }
        let document = LeaseDocument(
            version: 1, id: randomness.uuid(), endsAt: time.addingTimeInterval(duration),
            lastSuccessAt: known?.value.lastSuccessAt, firstStartedAt: known?.value.firstStartedAt ?? time)
        do {
            let stored: Stored<LeaseDocument>
            if let known {
                stored = try await documents.replace(key, known, with: document)
            } else {
                stored = try await documents.create(key, document)
            }
            let lease = JobLease(stored, at: key, in: documents, for: duration, from: time, now: now)
            return Answer(lease: lease, record: JobRecord(document))
        } catch .preconditionFailed {
            return Answer(lease: nil, record: record)
        }
    }
}

extension Services {
    /// Does a job, unless a copy of the service does it at this moment or began it less than `interval` ago.
    /// - Returns: what is known of the job afterwards; it was read for the lease and costs no request of its own.
    @discardableResult
    package func run(_ job: SharedJob, every interval: Duration) async throws(FlowError) -> JobOutcome {
        try await holding(job.rawValue, every: interval) { lease throws(FlowError) in
            switch job {
            case .usage: try await countUsage(holding: lease)
            case .devices: try await settleDevices(holding: lease)
            case .consent: try await checkConsent(holding: lease)
            case .missedNotifications: try await fetchMissedNotifications()
            }
        }
    }

    /// The same for a job that is not over accounts.
    /// - Parameter job: the lease's name.
    package func run(
        lease job: String, every interval: Duration, _ work: () async throws -> Void
    ) async throws(FlowError) -> JobOutcome {
        try await holding(job, every: interval) { _ throws(FlowError) in
            do {
                try await work()
            } catch {
                throw FlowError(error)
            }
        }
    }

    private func holding(
        _ job: String, every interval: Duration, _ work: (JobLease) async throws(FlowError) -> Void
    ) async throws(FlowError) -> JobOutcome {
        let seconds = TimeInterval(interval.components.seconds)
        let answer = try await step { try await leases.take(job, for: seconds) }
        guard let lease = answer.lease else { return .leftToOthers(answer.record) }
        do throws(FlowError) {
            try await work(lease)
        } catch {
            try? await lease.giveBack()
            throw error
        }
        // Where the server stops, the job has left accounts out.
        guard !Task.isCancelled else {
            try? await lease.giveBack()
            return .leftToOthers(answer.record)
        }
        guard let time = try await step({ try await lease.finish() }) else { return .leftToOthers(answer.record) }
        return .succeeded(at: time)
    }
}
