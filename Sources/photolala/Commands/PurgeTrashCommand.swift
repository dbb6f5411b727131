import ArgumentParser
import PhotolalaClient

struct PurgeTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Permanently delete photos that have been in the trash for 30 days.",
        discussion: """
            Paths and filters select photos in the trash; without them, all are selected. To delete one photo with its \
            companions without waiting 30 days:  photolala trash purge PATH --now
            Purged photos cannot be restored from the library. Backups do not upload their files again, and a sync moves \
            the files to .photolala-trash in the synced folder. A photo that is also in \
            your library, or in the trash at a path that is not selected, is kept.
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp(
            "Delete only the version with this ID, without companions. Requires a path. Repeatable.",
            valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Also delete photos that have been in the trash for less than 30 days.")
    var now = false

    @OptionGroup var confirmation: ConfirmationOption

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try VersionIDs.check(ids, of: wanted, "photolala trash purge PATH --id ID --now")
    }

    func perform(_ context: CommandContext) async throws -> PurgeResult {
        try confirmation.requireAnswer("Nothing was deleted.")
        // Only the question needs the account's name.
        let account = confirmation.yes ? nil : AccountLabel.text(try await context.session.user())
        let selection = TrashStrings.selection(wanted)
        let report = try await context.library.purgeTrash(
            where: wanted.filter, versions: ids.isEmpty ? .all : .ids(ids), includingRecent: now
        ) { report in
            guard let account else { return true }
            return await Confirmation.prompt(PurgeStrings.question(report, selection: selection, account: account))
        }
        return PurgeResult(report: report, isSelection: wanted.isSpecified, includesRecent: now)
    }
}

/// The result of purging the trash.
struct PurgeResult: CommandResult {
    let report: PurgeReport
    /// Whether only some photos were selected.
    var isSelection = false
    var includesRecent = false

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        if report.files > 0, !isBegun { return .failed }
        return report.failedContents + report.unknownContents == 0 ? .done : .someFilesFailed
    }

    var text: String {
        guard report.files > 0 else { return nothing }
        guard isBegun else { return "Nothing was deleted." }
        var lines = ["Permanently deleted \(report.deletedContents) of \(Counted.photos(report.contents))."]
        if let stopped = report.stopped { lines.append("Interrupted: \(Terminal.sanitized(stopped.detail))") }
        if report.failedContents > 0 {
            lines.append("Failed to delete \(Counted.photos(report.failedContents)). Run the same command again.")
        }
        if report.unknownContents > 0 {
            lines.append(
                "Unknown result for \(Counted.photos(report.unknownContents)): the photo store's response was lost. Run the same command "
                    + "again in 40 minutes. Until then, uploads are blocked.")
        }
        return (lines + PurgeStrings.kept(report)).joined(separator: "\n")
    }

    /// Whether the question was answered with yes.
    private var isBegun: Bool {
        report.isDone || report.deletedContents + report.failedContents + report.unknownContents > 0
    }

    private var nothing: String {
        let kept = PurgeStrings.kept(report)
        let first =
            if !isSelection, !includesRecent {
                "No photos have been in the trash for 30 days. To delete everything in it:  photolala trash purge --now"
            } else if !kept.isEmpty {
                "Nothing was deleted."
            } else {
                isSelection ? "No matching photos in the trash." : "The trash is empty."
            }
        return ([first] + kept).joined(separator: "\n")
    }
}
