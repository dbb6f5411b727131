import AccountMaintenance
import ArgumentParser
import Foundation
import Secrets
import ServiceWiring

/// Writes a snapshot into an empty store.
struct RecoverStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Restore a snapshot into a store without accounts.",
        discussion: """
            A dry run unless --apply is given: it checks the file, the settings and the store. Run an interrupted \
            recovery again; until it has finished, no server starts on the store. All users must sign in again \
            afterwards. A snapshot can contain accounts that were deleted after it was written: give them with --deletions, \
            and the server erases their data again.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file written by `snapshot`. It is read more than once, so it cannot be standard input.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "A file of deletions --export, with the accounts deleted since the snapshot.", valueName: "file"))
    var deletions: String?

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
            let ledger = try deletions.map(ShowDeletions.lines(of:))
            let logger = settings.log.makeLogger("photolala.recover")
            try await LiveStore.use(settings, for: apply ? .recovery : .recoveryCheck, logger: logger) { store in
                let recovery = SnapshotRecovery(
                    store: store, retry: LiveStore.retry, keyRing: keyRing, now: { Date() }, randomness: .system)
                let recovered = try await recovery.run(
                    settings.environment, settings.subjects, ledger: ledger, isDryRun: !apply
                ) { () throws(SnapshotError) in
                    let input = try SnapshotInput(path: file)
                    return { () throws(SnapshotError) in try input.next() }
                }
                for line in SnapshotReport.lines(
                    recovered, keyRing, hasLedger: deletions != nil, isDryRun: !apply)
                { print(line) }
            }
        }
    }
}
