import ArgumentParser
import Foundation
import ObjectStorage
import ServiceWiring
import UseCases

/// The jobs that one instance runs for all.
struct Jobs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Show the shared jobs, or start one.",
        subcommands: [ShowJobs.self, StartJob.self], defaultSubcommand: ShowJobs.self)
}

/// Lists the last success of each shared job, which one instance runs for all.
struct ShowJobs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show when each shared job last succeeded, and which is overdue.",
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
            var jobs: [JobOverview.Entry] = []
            try await LiveStore.use(settings, for: .reading, logger: settings.log.makeLogger("photolala.jobs")) {
                store in
                _ = try await LiveStore.checkManifest(store, settings)
                jobs = try await JobOverview.live(store, settings).jobs()
            }
            isLate = jobs.contains { $0.isOverdue }
            for job in jobs { print(json ? JSONLine.encode(job) : job.text) }
        }
        if isLate { throw ExitCode.failure }
    }
}

/// Makes a shared job due at once.
struct StartJob: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Make a shared job due: a running server starts it within a minute.",
        discussion:
            "Exit status: 1 while a server is running the job, or until the lease of a server that crashed during it expires."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The job, as `jobs` lists it.")
    var job: String

    func validate() throws {
        guard SharedJob(rawValue: job) != nil else {
            let names = SharedJob.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("unknown job: \(job). The jobs are \(names)")
        }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            guard let job = SharedJob(rawValue: job) else { return }
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            try await LiveStore.use(settings, for: .changes, logger: settings.log.makeLogger("photolala.jobs")) {
                store in
                _ = try await LiveStore.checkManifest(store, settings)
                let overview = JobOverview.live(store, settings)
                guard overview.jobsRun.contains(job) else {
                    throw CommandRefusal("a server with these settings does not run \(job.rawValue)")
                }
                switch try await overview.start(job) {
                case .due: print("\(job.rawValue) is due: a running server starts it within a minute")
                case .running(let end):
                    throw CommandRefusal(
                        "\(job.rawValue) is running, or the server that ran it crashed. Its lease expires at \(end.ISO8601Format())"
                    )
                }
            }
        }
    }
}

extension JobOverview {
    /// Returns the jobs of a store that a command has opened.
    fileprivate static func live(_ store: any ObjectStore, _ settings: Settings) -> JobOverview {
        Live(settings).jobOverview(
            JobLeases(store: store, retry: LiveStore.retry, now: { Date() }, randomness: .system))
    }
}

extension JobOverview.Entry {
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
