import Foundation
import Monitoring
import Synchronization

/// The outcome of one run of a job.
package enum JobOutcome: Sendable, Equatable {
    case succeeded(at: Date, totals: JobTotals? = nil)
    /// Another instance runs it, or it is not due.
    case heldByAnotherInstance(JobRecord?)
}

/// Tracks when each job of this instance last succeeded and which jobs are overdue. Makes no requests.
package final class JobMonitor: Sendable {
    /// A job is overdue if it has not succeeded for this many intervals and for `minimumDelay`.
    static let intervals = 3.0
    /// The shortest delay of an overdue job, in seconds, so that a short outage of the store does not count.
    static let minimumDelay: TimeInterval = 300
    /// A success dated more than this many seconds in the future comes from a wrong clock and is ignored.
    static let clockSkew: TimeInterval = 300
    /// How often an overdue job is logged again, in seconds.
    static let reminderInterval: TimeInterval = 3600

    /// A job that has not succeeded in time.
    package struct OverdueJob: Sendable, Equatable {
        package let name: String
        /// When the job last succeeded or, if it never has, when it was first started.
        package let since: Date
        package let hasEverSucceeded: Bool
        /// When the current run started; `nil` if the job is not running.
        package let runningSince: Date?
    }

    /// A change to log after a check.
    package enum Change: Sendable, Equatable {
        case overdue(OverdueJob)
        case recovered(name: String, lastSuccessAt: Date)
    }

    private struct State {
        let interval: TimeInterval
        var reference: Date
        var hasSucceeded = false
        var runningSince: Date?
        var loggedAt: Date?
    }

    private let jobs = Mutex<[String: State]>([:])
    private let metrics: ServiceMetrics
    private let now: @Sendable () -> Date

    package init(metrics: ServiceMetrics, now: @escaping @Sendable () -> Date) {
        (self.metrics, self.now) = (metrics, now)
    }

    /// Adds a job. Its delay is measured from now until an earlier start or a success is known.
    /// - Parameter interval: the expected interval between successes, in seconds.
    package func add(_ name: String, every interval: TimeInterval) {
        let time = now()
        jobs.withLock { $0[name] = State(interval: interval, reference: time) }
        metrics.set(ServiceMetric.jobInterval, [name], to: interval)
        metrics.set(ServiceMetric.jobLastSuccess, [name], to: time.timeIntervalSince1970)
    }

    /// Records the start of a run.
    package func recordStart(_ name: String) {
        let time = now()
        jobs.withLock { $0[name]?.runningSince = time }
    }

    /// Records the end of a run.
    /// - Parameter outcome: the outcome; `nil` if the run failed.
    /// - Returns: when the job last succeeded, if that has changed.
    package func recordEnd(_ name: String, _ outcome: JobOutcome?) -> Date? {
        let time = now()
        return jobs.withLock { jobs in
            guard var state = jobs[name] else { return nil }
            defer { jobs[name] = state }
            if case .succeeded = outcome, let start = state.runningSince {
                metrics.record(ServiceMetric.jobDuration, [name], .seconds(time.timeIntervalSince(start)))
            }
            state.runningSince = nil
            let (reference, isSuccess, totals): (Date?, Bool, JobTotals?) =
                switch outcome {
                case .succeeded(let date, let totals)?: (date, true, totals)
                case .heldByAnotherInstance(let record)?:
                    (record?.reference, record?.lastSuccessAt != nil, record?.totals)
                case nil: (nil, false, nil)
                }
            totals?.report(to: metrics)
            guard let reference, reference <= time.addingTimeInterval(Self.clockSkew) else { return nil }
            guard isSuccess else {
                // The store knows a longer delay than this process.
                if !state.hasSucceeded { state.reference = min(state.reference, reference) }
                metrics.set(ServiceMetric.jobLastSuccess, [name], to: state.reference.timeIntervalSince1970)
                return nil
            }
            guard !state.hasSucceeded || reference > state.reference else { return nil }
            (state.reference, state.hasSucceeded) = (reference, true)
            metrics.set(ServiceMetric.jobLastSuccess, [name], to: reference.timeIntervalSince1970)
            return reference
        }
    }

    /// Returns the overdue jobs, sorted by name.
    package func overdue() -> [OverdueJob] {
        let time = now()
        return jobs.withLock { jobs in
            jobs.filter { Self.isOverdue($0.value, at: time) }.map { Self.report($0.key, $0.value) }
                .sorted { $0.name < $1.name }
        }
    }

    /// Returns the changes since the last call, sorted by job name. A job that stays overdue is returned again once an
    /// hour.
    package func changes() -> [Change] {
        let time = now()
        return jobs.withLock { jobs in
            jobs.keys.sorted().compactMap { name in
                guard var state = jobs[name] else { return nil }
                defer { jobs[name] = state }
                guard Self.isOverdue(state, at: time) else {
                    guard state.loggedAt != nil else { return nil }
                    state.loggedAt = nil
                    return .recovered(name: name, lastSuccessAt: state.reference)
                }
                if let last = state.loggedAt, time.timeIntervalSince(last) < Self.reminderInterval { return nil }
                state.loggedAt = time
                return .overdue(Self.report(name, state))
            }
        }
    }

    private static func isOverdue(_ state: State, at time: Date) -> Bool {
        isOverdue(since: state.reference, every: state.interval, at: time)
    }

    /// Returns whether a job with this interval is overdue, given when it last succeeded or was first started.
    package static func isOverdue(since reference: Date, every interval: TimeInterval, at time: Date) -> Bool {
        time.timeIntervalSince(reference) > max(intervals * interval, minimumDelay)
    }

    private static func report(_ name: String, _ state: State) -> OverdueJob {
        OverdueJob(
            name: name, since: state.reference, hasEverSucceeded: state.hasSucceeded, runningSince: state.runningSince)
    }
}
