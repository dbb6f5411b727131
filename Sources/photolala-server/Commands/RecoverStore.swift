import AccountMaintenance
import ArgumentParser
import Foundation

/// Writes a snapshot into an empty store.
struct RecoverStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Restore a snapshot into a store without accounts.",
        discussion: """
            A dry run unless --apply is given: it checks the file, the settings and the store. Run an interrupted \
            recovery again; until it has finished, no server starts on the store. All users must sign in again \
            afterwards.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file written by `snapshot`. It is read more than once, so it cannot be standard input.")
    var file: String

    @Flag(help: "Write to the store; default: dry run.")
    var apply = false

    func validate() throws {
        guard file != "-" else {
            throw ValidationError("recover cannot read standard input. Save the snapshot to a file first")
        }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            // Before the store is opened: `--apply` creates it.
            let keyRing = try LiveStore.makeKeyRing(settings)
            let logger = settings.log.makeLogger("photolala.recover")
            try await LiveStore.use(settings, for: apply ? .recovery : .recoveryCheck, logger: logger) { store in
                let recovery = SnapshotRecovery(
                    store: store, retry: LiveStore.retry, keyRing: keyRing, now: { Date() })
                let summary = try await recovery.run(settings.environment, settings.subjects, isDryRun: !apply) {
                    () throws(SnapshotError) in
                    let input = try SnapshotInput(path: file)
                    return { () throws(SnapshotError) in try input.next() }
                }
                for line in SnapshotReport.lines(summary, keyRing, isDryRun: !apply) { print(line) }
            }
        }
    }
}
