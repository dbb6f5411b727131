import Foundation
import JSONCoding
import NIOCore
import ServiceWiring
import UseCases

/// Runs the due background jobs once, for an event of a schedule. The event may name one job: `{"job":"usage"}`.
package struct JobsFunction: InvocationHandler {
    /// The result of one job in the report.
    private enum Result: String, Encodable {
        case succeeded
        /// Another instance runs it, or it is not due.
        case notDue = "not_due"
        case failed
        /// The time was over. It is due again at once.
        case interrupted
    }

    /// The time kept free before the deadline for leases and the report: a fifth of it, at most this many seconds.
    private static let longestMargin = 15.0

    /// How many seconds before its time a job is due: half the shortest schedule of EventBridge.
    private static let early = 30.0

    private let maintenance: Maintenance
    private let due: DueJobs
    private let clock: InvocationLoop.Clock

    package init(_ maintenance: Maintenance, clock: InvocationLoop.Clock) {
        self.maintenance = maintenance
        self.clock = clock
        due = DueJobs(now: clock.now)
        maintenance.register()
    }

    package func handle(_ invocation: Invocation) async -> InvocationOutcome {
        let jobs: [Maintenance.Job]
        do throws(InvocationFailure) { jobs = try selection(invocation.event) } catch { return .failure(error) }
        var report = await run(due.start(dueOf: jobs, early: Self.early), until: invocation.deadline)
        due.forget(report.filter { [.failed, .interrupted].contains($0.value) }.keys)
        for job in jobs where report[job.name] == nil { report[job.name] = .notDue }
        guard let bytes = try? CompactJSON.encode(report) else { return .failure(.timedOut) }
        return .answer(ByteBuffer(bytes: bytes))
    }

    package func timeout(of invocation: Invocation) -> InvocationOutcome { .failure(.timedOut) }

    private func selection(_ event: ByteBuffer) throws(InvocationFailure) -> [Maintenance.Job] {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(event.readableBytesView) } catch {
            throw .invalidEvent("The event is not valid JSON.")
        }
        guard let name = value.object?["job"] else { return maintenance.jobs }
        guard let job = maintenance.jobs.first(where: { $0.name == name.string }) else {
            let names = maintenance.jobs.map(\.name).joined(separator: ", ")
            throw InvocationFailure("unknown_job", "No such job. The jobs are: \(names).")
        }
        return [job]
    }

    /// Runs jobs concurrently, as a server does, so that a long one does not keep the others waiting.
    private func run(_ jobs: [Maintenance.Job], until deadline: Date) async -> [String: Result] {
        let time = deadline.timeIntervalSince(clock.now())
        let limit = Duration.seconds(max(0, time - min(Self.longestMargin, time / 5)))
        return await withTaskGroup(of: (String, Result)?.self) { group in
            for job in jobs { group.addTask { (job.name, await perform(job)) } }
            group.addTask {
                try? await clock.sleep(limit)
                return nil
            }
            var report: [String: Result] = [:]
            while report.count < jobs.count, let ended = await group.next() {
                guard let (name, result) = ended else {
                    group.cancelAll()
                    continue
                }
                report[name] = result
            }
            group.cancelAll()
            return report
        }
    }

    private func perform(_ job: Maintenance.Job) async -> Result {
        let outcome = await maintenance.perform(job)
        if Task.isCancelled { return .interrupted }
        return switch outcome {
        case .succeeded: .succeeded
        case .heldByAnotherInstance: .notDue
        case nil: .failed
        }
    }
}
