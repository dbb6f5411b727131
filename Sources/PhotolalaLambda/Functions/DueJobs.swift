import Foundation
import ServiceWiring
import Synchronization

/// When this environment last ran each job. Without timers: an environment may be frozen at any time.
package final class DueJobs: Sendable {
    private let starts = Mutex<[String: Date]>([:])
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Records that jobs were run now.
    package func recordStart(of jobs: [Maintenance.Job]) {
        let time = now()
        starts.withLock { starts in
            for job in jobs { starts[job.name] = time }
        }
    }

    /// Makes jobs due at once.
    package func forget(_ names: some Sequence<String>) {
        starts.withLock { starts in
            for name in names { starts[name] = nil }
        }
    }

    /// Returns the jobs whose interval has passed, and records their start. A job is due also if the clock was set back.
    /// - Parameter early: How many seconds before that a job counts as due: schedules are not exact.
    package func start(dueOf jobs: [Maintenance.Job], early: TimeInterval = 0) -> [Maintenance.Job] {
        let time = now()
        return starts.withLock { starts in
            jobs.filter { job in
                let age = starts[job.name].map { time.timeIntervalSince($0) }
                let pause = max(0, TimeInterval(job.interval.components.seconds) - early)
                guard let age, (0..<pause).contains(age) else {
                    starts[job.name] = time
                    return true
                }
                return false
            }
        }
    }
}

/// Keeps what an environment has in memory current, and reports what it has counted.
package struct Upkeep: Sendable {
    private let maintenance: Maintenance
    private let due: DueJobs
    private let reported: DueJobs
    private let clock: InvocationLoop.Clock

    /// - Parameter maintenance: The jobs of each instance. Those without a report were run at the start.
    package init(_ maintenance: Maintenance, clock: InvocationLoop.Clock) {
        (self.maintenance, self.clock) = (maintenance, clock)
        (due, reported) = (DueJobs(now: clock.now), DueJobs(now: clock.now))
        due.recordStart(of: maintenance.jobs.filter { $0.hasReport == nil })
    }

    /// Runs the due jobs concurrently, before an invocation. A failure is logged: what is in memory is used until its
    /// own age limit.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for job in due.start(dueOf: maintenance.jobs) {
                group.addTask { _ = await maintenance.perform(job) }
            }
        }
    }

    /// Reports what was counted, after an invocation: there may never be another one. At most once in a job's interval.
    /// - Parameter timeLeft: The seconds until the invocation's deadline.
    package func report(timeLeft: TimeInterval) async {
        let limit = InvocationLoop.preparationLimit
        guard timeLeft >= limit + 1 else { return }
        let jobs = reported.start(dueOf: maintenance.jobs.filter { $0.hasReport?() == true })
        guard !jobs.isEmpty else { return }
        due.recordStart(of: jobs)
        await clock.limit(.seconds(limit)) {
            for job in jobs { _ = await maintenance.perform(job) }
        }
    }
}
