import ArgumentParser
import Foundation
import PhotolalaClient

struct RestoreCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Download photos and videos to a folder, with their names and dates.",
        discussion: """
            Never overwrites files. An interrupted restore resumes when you run it again. Paths and filters select photos; \
            their companions (the other half of a Live Photo, edits, sidecars) are included. To restore archived photos, \
            request them with --request-archived, and run the same command again some hours later. With --id, downloads a version \
            that `photolala versions PATH` shows, also from the trash; your library stays as it is.
            """
    )

    @Option(help: ArgumentHelp("Destination folder. Created if missing.", valueName: "folder"), completion: .directory)
    var to: String

    @OptionGroup var wanted: FilterOptions

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp(
            "Download only the version with this ID, without companions. Requires a path. Repeatable.",
            valueName: "id"))
    var ids: [String] = []

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be restored.")
    var dryRun = false

    @OptionGroup var archives: ArchiveOptions

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Restored files are kept. Run the same command again to resume." }

    func validate() throws {
        try TextChecks.check(to, of: "--to", expects: "a folder")
        try VersionIDs.check(ids, of: wanted, "photolala restore --to FOLDER PATH --id ID")
    }

    func perform(_ context: CommandContext) async throws -> RestoreResult {
        let restore = files.applied(to: context.library).restore(
            to: URL(fileURLWithPath: to), where: wanted.filter, versions: ids, askingBack: archives.request,
            isDryRun: dryRun
        )
        return RestoreResult(
            report: try await ProgressDisplay.watch(
                restore, verb: dryRun ? "Checking" : "Restoring", in: context)
        )
    }
}
