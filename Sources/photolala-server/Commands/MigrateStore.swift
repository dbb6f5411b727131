import Accounts
import ArgumentParser
import Foundation
import Synchronization

/// Moves a store's claims to another spelling of subjects, or to hashes under another master key.
struct MigrateStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move a store to plain or hashed subjects, or to hashes under the current master key.",
        discussion: """
            A dry run unless --apply is given. Servers may run on the store meanwhile. After --apply identities have \
            both names; --confirm ends that with the new names, --undo with the old ones. Without any of these it says \
            what is under way. Whatever was interrupted goes on when it is run again.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Option(help: "plain or hashed: how subjects shall be spelled, under the current master key.")
    var subjects: SubjectSpelling.Mode?

    @Flag(help: "Give every identity its new name beside the old one.")
    var apply = false

    @Flag(help: "Only the new names count from now on; the old ones are removed.")
    var confirm = false

    @Flag(help: "Only the old names count, as before; the new ones are removed.")
    var undo = false

    @Flag(help: "One JSON object for each finding, and one for the summary at the end.")
    var json = false

    func validate() throws {
        guard [apply, confirm, undo].count(where: { $0 }) <= 1 else {
            throw ValidationError("--apply, --confirm and --undo exclude each other")
        }
        guard subjects == nil || !(confirm || undo) else {
            throw ValidationError("--confirm and --undo end the move that is under way; leave --subjects out")
        }
        guard subjects != nil || !apply else { throw ValidationError("--apply needs --subjects") }
    }

    func run() async throws {
        let isBlocked = Mutex(false)
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.migrate")
            try await LiveStore.use(settings, logger: logger) { store in
                let findings = RepairReport(isJSON: json, isDry: true)
                let report = MigrationReport(isJSON: json)
                let migration = Migration(try await LiveStore.accounts(store, settings)) { seconds in
                    logger.notice("waiting until every server knows", metadata: ["seconds": "\(Int(seconds))"])
                    try? await Task.sleep(for: .seconds(seconds))
                } report: { finding in
                    print(findings.line(finding))
                }
                let isFree = try await run(migration, report)
                isBlocked.withLock { $0 = !isFree }
            }
        }
        if isBlocked.withLock({ $0 }) { throw ExitCode.failure }
    }

    /// - Returns: whether nothing stands in the way of the next step.
    private func run(_ migration: Migration, _ report: MigrationReport) async throws -> Bool {
        do {
            if confirm {
                print(report.line(try await migration.confirm(), .done))
            } else if undo {
                print(report.line(try await migration.undo(), .done))
            } else if let subjects {
                let summary = apply ? try await migration.apply(to: subjects) : try await migration.plan(to: subjects)
                print(report.line(summary, apply ? .applied : .planned))
                return !summary.isBlocked
            } else {
                print(report.line(try await migration.status()))
            }
            return true
        } catch MigrationError.incomplete(let summary) {
            print(report.line(summary, .stopped))
            return false
        }
    }
}

extension SubjectSpelling.Mode: ExpressibleByArgument {}
