import ArgumentParser
import Foundation
import ObjectStorage
import UseCases

/// Lists the last success of each shared job, which one instance runs for all.
struct ShowJobs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Show when each shared job last succeeded, and which is overdue.",
        discussion: """
            A server may run on the store at the same time. Exit status: 0 when all jobs are on time, 1 when one is overdue. A job \
            that no server has started yet is not overdue.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print one JSON object per job.")
    var json = false

    func run() async throws {
        var isLate = false
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let lines = try await Self.lines(settings)
            isLate = lines.contains { $0.isOverdue }
            for line in lines { print(json ? JSONLine.encode(line) : line.text) }
        }
        if isLate { throw ExitCode.failure }
    }

    private static func lines(_ settings: Settings) async throws -> [JobLine] {
        var lines: [JobLine] = []
        try await LiveStore.use(settings, for: .reading, logger: settings.log.makeLogger("photolala.jobs")) {
            store in
            _ = try await LiveStore.checkManifest(store, settings)
            let leases = JobLeases(store: store, retry: LiveStore.retry, now: { Date() }, randomness: .system)
            for job in SharedJob.allCases {
                let interval = TimeInterval(
                    job.interval(countingUsageEvery: settings.countUsageEvery).components.seconds)
                lines.append(JobLine(job, try await leases.record(of: job), every: interval, at: Date()))
            }
        }
        return lines
    }
}

/// The state of one job.
struct JobLine: Encodable {
    let job: String
    let isOverdue: Bool
    let interval: Int
    var lastSuccessAt: Date?
    var firstStartedAt: Date?

    /// - Parameter interval: The job's interval, in seconds.
    init(_ job: SharedJob, _ record: JobRecord?, every interval: TimeInterval, at time: Date) {
        self.job = job.rawValue
        self.interval = Int(interval)
        lastSuccessAt = record?.lastSuccessAt
        firstStartedAt = record?.firstStartedAt
        isOverdue = record?.reference.map { JobMonitor.isOverdue(since: $0, every: interval, at: time) } ?? false
    }

    var text: String {
        let success = lastSuccessAt.map { "last success \($0.ISO8601Format())" }
        let start = firstStartedAt.map { "no success since \($0.ISO8601Format())" }
        let width = SharedJob.allCases.map(\.rawValue.count).max() ?? 0
        let columns = [
            job.padding(toLength: max(width, job.count), withPad: " ", startingAt: 0),
            isOverdue ? "OVERDUE" : "on time", success ?? start ?? "not started yet",
        ]
        return columns.joined(separator: "  ")
    }
}
