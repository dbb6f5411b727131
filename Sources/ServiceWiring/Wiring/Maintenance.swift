import Foundation
import Logging
import Monitoring
import ServiceLifecycle
import UseCases

/// Runs the service's own jobs at their intervals until the server stops: signing keys, spent marks, expired uploads,
/// storage usage. A failed job is logged and repeated after its interval. A job that hangs or has not succeeded for
/// several intervals is logged as overdue.
package struct Maintenance: Service {
    /// One job.
    package struct Job: Sendable {
        package let name: String
        /// The time between runs.
        package let interval: Duration
        /// The expected time between successes.
        let period: Duration
        /// Whether this instance has counted what the others wait for; `nil` for a job that reports nothing to them.
        package let hasReport: (@Sendable () -> Bool)?
        package let run: @Sendable () async throws -> JobOutcome

        /// Creates a job that every instance performs in each run.
        package init(
            name: String, interval: Duration, hasReport: (@Sendable () -> Bool)? = nil,
            run: @escaping @Sendable () async throws -> Void
        ) {
            self.init(name: name, interval: interval, period: interval, hasReport: hasReport) {
                try await run()
                return .succeeded(at: Date())
            }
        }

        /// Creates a job that checks at `interval` whether it is due and is performed at `period`.
        package init(
            name: String, interval: Duration, period: Duration, hasReport: (@Sendable () -> Bool)? = nil,
            run: @escaping @Sendable () async throws -> JobOutcome
        ) {
            self.name = name
            self.interval = interval
            self.period = period
            self.hasReport = hasReport
            self.run = run
        }

        /// Creates a job that one instance performs for all. Each instance checks at most a minute apart whether it is
        /// due.
        package init(_ job: SharedJob, every period: Duration, of services: ServiceGraph) {
            self.init(name: job.rawValue, interval: min(period, .seconds(60)), period: period) {
                try await services.maintenance.run(job, every: period)
            }
        }
    }

    package let jobs: [Job]
    private let monitor: JobMonitor
    private let logger: Logger

    /// The time between checks for overdue jobs.
    private static let watch = Duration.seconds(60)

    package init(jobs: [Job], monitor: JobMonitor, logger: Logger) {
        (self.jobs, self.monitor, self.logger) = (jobs, monitor, logger)
    }

    /// Makes the jobs known to the monitor.
    package func register() {
        for job in jobs { monitor.add(job.name, every: TimeInterval(job.period.components.seconds)) }
    }

    package func run() async throws {
        register()
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { await `repeat`(job) } }
                // A separate task: it must not wait for a job that hangs or for the store.
                group.addTask {
                    while (try? await Task.sleep(for: Self.watch)) != nil { reportChanges() }
                }
            }
        }
    }

    /// The first run is soon after the start, because a server may be restarted more often than the job's interval.
    private func `repeat`(_ job: Job) async {
        var pause = min(job.interval, .seconds(60))
        while (try? await Task.sleep(for: pause)) != nil {
            pause = job.interval
            _ = await perform(job)
        }
    }

    /// Runs a job once, and records and logs the result.
    /// - Returns: `nil` if the job failed.
    package func perform(_ job: Job) async -> JobOutcome? {
        monitor.recordStart(job.name)
        do {
            let outcome = try await job.run()
            if let success = monitor.recordEnd(job.name, outcome) {
                logger.log(level: job.logLevel, .jobSucceeded, "job succeeded", metadata: Self.success(job, success))
            }
            return outcome
        } catch {
            _ = monitor.recordEnd(job.name, nil)
            // Errors after a cancellation are not failures.
            guard !Task.isCancelled else { return nil }
            logger.error(.jobFailed, "job failed", metadata: ["job": "\(job.name)", "reason": "\(error)"])
            return nil
        }
    }

    private static func success(_ job: Job, _ date: Date) -> Logger.Metadata {
        ["job": "\(job.name)", "lastSuccess": "\(date.ISO8601Format())"]
    }

    private func reportChanges() {
        for change in monitor.changes() {
            switch change {
            case .overdue(let job):
                logger.warning(.jobOverdue, "job overdue", metadata: job.metadata)
            case .recovered(let name, let date):
                logger.notice(
                    .jobOnTime, "job on time again",
                    metadata: ["job": "\(name)", "lastSuccess": "\(date.ISO8601Format())"])
            }
        }
    }
}

extension Maintenance.Job {
    /// Logging jobs that run every minute at info level would fill the log.
    fileprivate var logLevel: Logger.Level { period >= .seconds(600) ? .info : .debug }
}

extension JobMonitor.OverdueJob {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["job": "\(name)"]
        metadata[hasEverSucceeded ? "lastSuccess" : "noSuccessSince"] = "\(since.ISO8601Format())"
        if let runningSince { metadata["runningSince"] = "\(runningSince.ISO8601Format())" }
        return metadata
    }
}
