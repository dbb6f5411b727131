import Foundation
import ObjectStorage
import PhotolalaAPI

/// The jobs that one instance runs for all: when each last succeeded, and which are overdue.
package struct JobOverview: Sendable {
    let leases: JobLeases
    /// How often stored bytes are counted.
    let usageInterval: Duration
    let now: @Sendable () -> Date

    package init(leases: JobLeases, countingUsageEvery interval: Duration, now: @escaping @Sendable () -> Date) {
        (self.leases, usageInterval, self.now) = (leases, interval, now)
    }

    /// The state of one job.
    package struct Entry: Encodable, Sendable {
        package let job: String
        package let isOverdue: Bool
        /// In seconds.
        package let interval: Int
        package let lastSuccessAt: Date?
        package let firstStartedAt: Date?

        /// - Parameter interval: The job's interval, in seconds.
        package init(_ job: SharedJob, _ record: JobRecord?, every interval: TimeInterval, at time: Date) {
            self.job = job.rawValue
            self.interval = Int(interval)
            lastSuccessAt = record?.lastSuccessAt
            firstStartedAt = record?.firstStartedAt
            isOverdue = record?.reference.map { JobMonitor.isOverdue(since: $0, every: interval, at: time) } ?? false
        }
    }

    /// Returns all jobs. One read each.
    package func jobs() async throws(ObjectStoreError) -> [Entry] {
        var entries: [Entry] = []
        for job in SharedJob.allCases {
            entries.append(
                Entry(job, try await leases.record(of: job), every: interval(of: job), at: now()))
        }
        return entries
    }

    /// Makes a job due at once: the next instance that checks, within a minute, starts it.
    package func start(_ job: SharedJob) async throws(ObjectStoreError) -> JobLeases.Due {
        try await leases.makeDue(job)
    }

    private func interval(of job: SharedJob) -> TimeInterval {
        TimeInterval(job.interval(countingUsageEvery: usageInterval).components.seconds)
    }
}
