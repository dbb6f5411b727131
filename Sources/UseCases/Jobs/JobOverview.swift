import Foundation
import ObjectStorage
import PhotolalaAPI

/// The jobs that one instance runs for all: when each last succeeded, and which are overdue.
package struct JobOverview: Sendable {
    /// The jobs that the deployment's instances run.
    package let jobsRun: [SharedJob]
    let leases: JobLeases
    /// How often stored bytes are counted.
    let usageInterval: Duration
    let now: @Sendable () -> Date

    package init(
        _ jobs: [SharedJob], leases: JobLeases, countingUsageEvery interval: Duration,
        now: @escaping @Sendable () -> Date
    ) {
        (jobsRun, self.leases, usageInterval, self.now) = (jobs, leases, interval, now)
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

    /// Returns the jobs that run. One read each.
    package func jobs() async throws(ObjectStoreError) -> [Entry] {
        var entries: [Entry] = []
        for job in jobsRun {
            entries.append(
                Entry(job, try await leases.record(of: job), every: interval(of: job), at: now()))
        }
        return entries
    }

    /// Makes a job, one of `jobsRun`, due at once: the next instance that checks, within a minute, starts it.
    package func start(_ job: SharedJob) async throws(ObjectStoreError) -> JobLeases.Due {
        try await leases.makeDue(job)
    }

    private func interval(of job: SharedJob) -> TimeInterval {
        TimeInterval(job.interval(countingUsageEvery: usageInterval).components.seconds)
    }
}
