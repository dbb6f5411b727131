import AccountMaintenance
import ArgumentParser
import Foundation

/// Writes a snapshot into an empty store.
struct RecoverStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Write a snapshot into a store that holds no accounts.",
        discussion: """
            A dry run unless --apply is given: it checks the file, the settings and the store. Run it again when it was
            interrupted; until it has ended, no server starts on the store. Everybody signs in again afterwards.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file that `snapshot` made. It is read more than once, so it cannot be standard input.")
    var file: String

    @Flag(help: "Write; without it nothing is changed.")
    var apply = false

    func validate() throws {
        guard file != "-" else {
            throw ValidationError("a snapshot is checked as a whole before it is written: save it to a file first")
        }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            let logger = settings.log.makeLogger("photolala.recover")
            try await LiveStore.use(settings, for: apply ? .recovery : .recoveryCheck, logger: logger) { store in
                let keyRing = try LiveStore.makeKeyRing(settings)
                let recovery = SnapshotRecovery(
                    store: store, retry: LiveStore.retry, keyRing: keyRing, now: { Date() })
                let summary = try await recovery.run(settings.environment, settings.subjects, isDry: !apply) {
                    () throws(SnapshotError) in
                    let input = try SnapshotInput(path: file)
                    return { () throws(SnapshotError) in try input.next() }
                }
                for line in SnapshotReport.lines(summary, keyRing, isDry: !apply) { print(line) }
            }
        }
    }
}
