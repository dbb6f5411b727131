import ArgumentParser
import PhotolalaClient

struct PurgeTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Delete for good what has been in the trash for 30 days.",
        discussion: """
            Nothing brings it back from the library. Devices that still have the files keep them, and their backups do not \
            bring them back. With --include-recent it deletes all that is in the trash, which makes room in your storage at \
            once.
            """
    )

    @Flag(help: "Delete also what has been in the trash for less than 30 days.")
    var includeRecent = false

    @Flag(help: "Do not ask first.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> PurgeResult {
        guard yes || Confirmation.isPossible else {
            throw CommandFailure(
                "Nobody is there to be asked, so nothing was deleted. To do it without asking, add --yes.",
                status: .wrongUsage
            )
        }
        let isSure = yes
        let report = try await context.library.purgeTrash(includingRecent: includeRecent) { report in
            if isSure { return true }
            let files = "\(Counted.files(report.files)) (\(ByteText.text(report.bytes)))"
            return await Confirmation.prompt("Delete \(files) for good?")
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
                ? "Nothing is in the trash."
                : "Nothing in the trash is over its 30 days. To delete all that is there:  "
                    + "photolala trash purge --include-recent"
        }
        let isBegun = report.isDone || report.deletedContents + report.failedContents + report.unknownContents > 0
        guard isBegun else { return "Nothing was deleted." }
        var lines = ["\(report.deletedContents) of \(report.contents) different contents were deleted for good."]
        if let stopped = report.stopped { lines.append("Broken off: \(Terminal.sanitized(stopped.detail))") }
        if report.failedContents > 0 {
            lines.append("\(report.failedContents) could NOT be. Run the same command again.")
        }
        if report.unknownContents > 0 {
            lines.append(
                "Of \(report.unknownContents) the store's answer was lost. Run the same command again in 40 minutes; until "
                    + "then nothing can be added to the library.")
        }
        return lines.joined(separator: "\n")
    }
}
