import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Jobs that one copy does for all. They may be done twice without harm; leases save the requests.
package enum SharedJob: String, Sendable {
    case usage
    case devices
    case consent
    case missedNotifications = "missed-notifications"
}

/// Lets one copy of the service do a job for all: whoever takes its lease does it, the others wait for the lease's end.
/// A copy that dies with a lease delays the job by no more than the lease.
package struct JobLeases: Sendable {
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

    /// Takes a job's lease, or gives `nil` while another one holds. One read, and one write when it is taken.
    /// - Parameter duration: seconds.
    func take(_ job: String, for duration: TimeInterval) async throws(ObjectStoreError) -> JobLease? {
        let key = ObjectKey(known: StorageLayout.lease(job))
        let time = now()
        let known = try await documents.load(key)
        // One that ends later than any could comes from another clock, or from a longer interval in the settings.
        if let end = known?.value.endsAt, end > time, end <= time.addingTimeInterval(duration * 2) { return nil }
        let document = LeaseDocument(version: 1, id: randomness.uuid(), endsAt: time.addingTimeInterval(duration))
        do {
            let stored: Stored<LeaseDocument>
            if let known {
                stored = try await documents.replace(key, known, with: document)
            } else {
                stored = try await documents.create(key, document)
            }
            return JobLease(stored, at: key, in: documents, for: duration, from: time, now: now)
        } catch .preconditionFailed {
            return nil
        }
    }
}

extension Services {
    /// Does a job, unless a copy of the service does it at this moment or began it less than `interval` ago.
    package func run(_ job: SharedJob, every interval: Duration) async throws(FlowError) {
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
    ) async throws(FlowError) {
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
    ) async throws(FlowError) {
        let seconds = TimeInterval(interval.components.seconds)
        guard let lease = try await step({ try await leases.take(job, for: seconds) }) else { return }
        do throws(FlowError) {
            try await work(lease)
        } catch {
            try? await lease.giveBack()
            throw error
        }
        try await step { try await lease.finish() }
    }
}
