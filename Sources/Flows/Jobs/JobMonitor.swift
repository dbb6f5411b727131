import Foundation
import Synchronization

/// What became of one run of a job.
package enum JobOutcome: Sendable, Equatable {
    case succeeded(at: Date)
    /// Another instance does it, or it is not due.
    case leftToOthers(JobRecord?)
}

/// Knows when each job of this instance last succeeded, and which are overdue. Makes no requests.
package final class JobMonitor: Sendable {
    /// A job is overdue when it has not succeeded for this many of its intervals,
    static let intervals = 3.0
    /// and for at least this many seconds: a short outage of the store does not count.
    static let leastDelay: TimeInterval = 300
    /// A success that is dated later than this many seconds from now comes from a wrong clock and is ignored.
    static let clockSkew: TimeInterval = 300
    /// How often an overdue job is logged, in seconds.
    static let reminder: TimeInterval = 3600

    /// A job that has not succeeded in time.
    package struct OverdueJob: Sendable, Equatable {
        package let name: String
        /// When it last succeeded or, where it never has, when it was first started.
        package let since: Date
        package let hasEverSucceeded: Bool
        /// When the run began that has not ended; `nil` where none is under way.
        package let runningSince: Date?
    }

    /// What is to be logged after a check.
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
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Adds a job. Its delay counts from now on, until more is known of it.
    /// - Parameter interval: seconds in which it succeeds once, where all is well.
    package func add(_ name: String, every interval: TimeInterval) {
        let time = now()
        jobs.withLock { $0[name] = State(interval: interval, reference: time) }
    }

    /// A run begins.
    package func began(_ name: String) {
        let time = now()
        jobs.withLock { $0[name]?.runningSince = time }
    }

    /// A run has ended.
    /// - Parameter outcome: `nil` where it failed.
    /// - Returns: when the job last succeeded, where that is news.
    package func ended(_ name: String, _ outcome: JobOutcome?) -> Date? {
        let time = now()
        return jobs.withLock { jobs in
            guard var state = jobs[name] else { return nil }
            defer { jobs[name] = state }
            state.runningSince = nil
            let (reference, isSuccess): (Date?, Bool) =
                switch outcome {
                case .succeeded(let date)?: (date, true)
                case .leftToOthers(let record)?: (record?.reference, record?.lastSuccessAt != nil)
                case nil: (nil, false)
                }
            guard let reference, reference <= time.addingTimeInterval(Self.clockSkew) else { return nil }
            guard isSuccess else {
                // The store knows of a longer delay than this process.
                if !state.hasSucceeded { state.reference = min(state.reference, reference) }
                return nil
            }
            guard !state.hasSucceeded || reference > state.reference else { return nil }
            (state.reference, state.hasSucceeded) = (reference, true)
            return reference
        }
    }

    /// Jobs that are overdue, by their names.
    package func overdue() -> [OverdueJob] {
        let time = now()
        return jobs.withLock { jobs in
            jobs.filter { Self.isOverdue($0.value, at: time) }.map { Self.report($0.key, $0.value) }
                .sorted { $0.name < $1.name }
        }
    }

    /// What has changed since the last call, by the jobs' names. A job that stays overdue is named again once an hour.
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
                if let last = state.loggedAt, time.timeIntervalSince(last) < Self.reminder { return nil }
                state.loggedAt = time
                return .overdue(Self.report(name, state))
            }
        }
    }

    private static func isOverdue(_ state: State, at time: Date) -> Bool {
        isOverdue(since: state.reference, every: state.interval, at: time)
    }

    /// Whether a job with this interval is overdue that last succeeded, or was first started, at a moment.
    package static func isOverdue(since reference: Date, every interval: TimeInterval, at time: Date) -> Bool {
        time.timeIntervalSince(reference) > max(intervals * interval, leastDelay)
    }

    private static func report(_ name: String, _ state: State) -> OverdueJob {
        OverdueJob(
            name: name, since: state.reference, hasEverSucceeded: state.hasSucceeded, runningSince: state.runningSince)
    }
}
