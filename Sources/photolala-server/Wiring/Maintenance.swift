import Flows
import Foundation
import Logging
import ServiceLifecycle

/// The service's own jobs, each at its interval until the server stops: signing keys, spent marks, expired uploads,
/// counting what accounts store. A job that fails is logged and tried again at its next time.
struct Maintenance: Service {
    /// One job.
    struct Job: Sendable {
        let name: String
        let interval: Duration
        let run: @Sendable () async throws -> Void
    }

    let jobs: [Job]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { await `repeat`(job) } }
            }
        }
    }

    /// The first time is soon after the start: a server may be restarted more often than a job's interval.
    private func `repeat`(_ job: Job) async {
        var pause = min(job.interval, .seconds(60))
        while (try? await Task.sleep(for: pause)) != nil {
            pause = job.interval
            do {
                try await job.run()
            } catch {
                // What a job that is told to stop leaves undone is no failure, whatever it says of it.
                guard !Task.isCancelled else { return }
                logger.error("a job failed", metadata: ["job": "\(job.name)", "reason": "\(error)"])
            }
        }
    }
}
