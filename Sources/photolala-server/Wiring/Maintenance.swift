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

    private func `repeat`(_ job: Job) async {
        while (try? await Task.sleep(for: job.interval)) != nil {
            do {
                try await job.run()
            } catch is CancellationError {
                return
            } catch {
                logger.error("a job failed", metadata: ["job": "\(job.name)", "reason": "\(error)"])
            }
        }
    }
}
