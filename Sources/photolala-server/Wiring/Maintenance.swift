import Flows
import Foundation
import Logging
import ServiceLifecycle

/// The service's own jobs, each at its interval until the server stops: signing keys, spent marks, expired uploads,
/// counting what accounts store. A job that fails is logged and tried again at its next time; one that has not succeeded
/// for several of its intervals, or hangs, is logged as overdue.
struct Maintenance: Service {
    /// One job.
    struct Job: Sendable {
        let name: String
        /// Between its runs.
        let interval: Duration
        /// Between its successes, where all is well.
        let period: Duration
        let run: @Sendable () async throws -> JobOutcome

        /// A job that every instance does in each of its runs.
        init(name: String, interval: Duration, run: @escaping @Sendable () async throws -> Void) {
            self.init(name: name, interval: interval, period: interval) {
                try await run()
                return .succeeded(at: Date())
            }
        }

        /// A job that is done less often than its runs look whether it is due.
        init(
            name: String, interval: Duration, period: Duration, run: @escaping @Sendable () async throws -> JobOutcome
        ) {
            self.name = name
            self.interval = interval
            self.period = period
            self.run = run
        }

        /// A job that one instance does for all; each looks once a minute whether it is due.
        init(_ job: SharedJob, every period: Duration, of services: Services) {
            self.init(name: job.rawValue, interval: min(period, .seconds(60)), period: period) {
                try await services.run(job, every: period)
            }
        }
    }

    let jobs: [Job]
    let monitor: JobMonitor
    let logger: Logger

    /// Between two looks for overdue jobs.
    private static let watch = Duration.seconds(60)

    func run() async throws {
        for job in jobs { monitor.add(job.name, every: TimeInterval(job.period.components.seconds)) }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { await `repeat`(job) } }
                // A task of its own: it must not wait for a job that hangs, nor for the store.
                group.addTask {
                    while (try? await Task.sleep(for: Self.watch)) != nil { reportChanges() }
                }
            }
        }
    }

    /// The first time is soon after the start: a server may be restarted more often than a job's interval.
    private func `repeat`(_ job: Job) async {
        var pause = min(job.interval, .seconds(60))
        while (try? await Task.sleep(for: pause)) != nil {
            pause = job.interval
            monitor.began(job.name)
            do {
                let success = monitor.ended(job.name, try await job.run())
                if let success {
                    logger.log(level: job.logLevel, "a job succeeded", metadata: Self.success(job, success))
                }
            } catch {
                _ = monitor.ended(job.name, nil)
                // What a job that is told to stop leaves undone is no failure, whatever it says of it.
                guard !Task.isCancelled else { return }
                logger.error("a job failed", metadata: ["job": "\(job.name)", "reason": "\(error)"])
            }
        }
    }

    private static func success(_ job: Job, _ date: Date) -> Logger.Metadata {
        ["job": "\(job.name)", "lastSuccess": "\(date.ISO8601Format())"]
    }

    private func reportChanges() {
        for change in monitor.changes() {
            switch change {
            case .overdue(let job):
                logger.warning("a job is overdue", metadata: job.metadata)
            case .recovered(let name, let date):
                logger.notice(
                    "a job is on time again", metadata: ["job": "\(name)", "lastSuccess": "\(date.ISO8601Format())"])
            }
        }
    }
}

extension Maintenance.Job {
    /// Jobs of every minute would fill the log.
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
