import Foundation
import ServiceWiring
import Synchronization

/// When this environment last ran each job. Without timers: an environment may be frozen at any time.
package final class DueJobs: Sendable {
    private let starts = Mutex<[String: Date]>([:])
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Records that all jobs were run now.
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

/// Keeps what an environment has in memory current: the instance's own jobs that are due, before an invocation.
package struct Upkeep: Sendable {
    private let maintenance: Maintenance
    private let due: DueJobs

    /// - Parameter maintenance: The jobs of each instance. They were run at the start.
    package init(_ maintenance: Maintenance, now: @escaping @Sendable () -> Date) {
        self.maintenance = maintenance
        due = DueJobs(now: now)
        due.recordStart(of: maintenance.jobs)
    }

    /// Runs the due jobs concurrently. A failure is logged: what is in memory is used until its own age limit.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for job in due.start(dueOf: maintenance.jobs) {
                group.addTask { _ = await maintenance.perform(job) }
            }
        }
    }
}
