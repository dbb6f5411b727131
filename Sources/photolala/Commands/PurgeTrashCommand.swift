import ArgumentParser
import PhotolalaClient

struct PurgeTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Permanently delete photos that have been in the trash for 30 days.",
        discussion: """
            Purged photos cannot be restored from the library. Backups do not upload their files again, and a sync moves \
            the files to .photolala-trash in the synced folder. --include-recent deletes everything in the trash.
            """
    )

    @Flag(help: "Also delete photos that have been in the trash for less than 30 days.")
    var includeRecent = false

    @Flag(help: "Skip the confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> PurgeResult {
        guard yes || Confirmation.isPossible else {
            throw CommandFailure(
                "Cannot ask for confirmation without a terminal. Nothing was deleted. Add --yes to skip it.",
                status: .wrongUsage
            )
        }
        let isSure = yes
        let report = try await context.library.purgeTrash(includingRecent: includeRecent) { report in
            if isSure { return true }
            let files = "\(Counted.files(report.files)) (\(ByteText.text(report.bytes)))"
            return await Confirmation.prompt("Permanently delete \(files)?")
        }
        return PurgeResult(report: report, includesRecent: includeRecent)
    }
}

/// The result of purging the trash.
struct PurgeResult: CommandResult {
    let report: PurgeReport
    var includesRecent = false

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.failedContents + report.unknownContents == 0 ? .done : .someFilesFailed
    }

    var text: String {
        guard report.files > 0 else {
            return includesRecent
                ? "The trash is empty."
                : "No photos have been in the trash for 30 days. To delete everything in it:  "
                    + "photolala trash purge --include-recent"
        }
        let isBegun = report.isDone || report.deletedContents + report.failedContents + report.unknownContents > 0
        guard isBegun else { return "Nothing was deleted." }
        var lines = ["Permanently deleted \(report.deletedContents) of \(Counted.photos(report.contents))."]
        if let stopped = report.stopped { lines.append("Interrupted: \(Terminal.sanitized(stopped.detail))") }
        if report.failedContents > 0 {
            lines.append("Failed to delete \(report.failedContents). Run the same command again.")
        }
        if report.unknownContents > 0 {
            lines.append(
                "\(report.unknownContents) with unknown result: the photo store's response was lost. Run the same command "
                    + "again in 40 minutes. Until then, uploads are blocked.")
        }
        return lines.joined(separator: "\n")
    }
}
