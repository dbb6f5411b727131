import ArgumentParser
import Foundation
import PhotolalaClient

struct StatusCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is in your library, and what in a folder waits for a backup."
    )

    @Argument(help: ArgumentHelp("A folder with photos.", valueName: "folder"))
    var folder: String?

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    func validate() throws { try TextChecks.check(folder, of: "The folder", takes: "the name of a folder") }

    func perform(_ context: CommandContext) async throws -> StatusResult {
        let status = context.library.status(of: folder.map { URL(fileURLWithPath: $0) })
        let overview = try await ProgressDisplay.watch(status, verb: "Reading", on: context.network)
        return StatusResult(folder: folder, overview: overview)
    }
}

/// The counts of the library and the folder.
struct StatusResult: CommandResult {
    let folder: String?
    let overview: LibraryOverview

    func encode(to encoder: any Encoder) throws { try overview.encode(to: encoder) }

    var text: String {
        var lines = [
            "Your library: \(Counted.files(overview.storedFiles)), \(ByteText.text(overview.storedBytes))."
        ]
        if overview.unreadableDates > 0 {
            lines.append(
                "\(Counted.files(overview.unreadableDates)) with a capture date in the catalog that is no possible date, "
                    + "treated as unknown. To read the photos' own dates:  photolala refresh-dates")
        }
        if let folder {
            lines.append(
                "\(Terminal.sanitized(folder)): \(Counted.files(overview.localFiles)), "
                    + "\(ByteText.text(overview.localBytes)); \(overview.backedUpFiles) backed up, "
                    + "\(overview.waitingFiles) waiting. \(overview.onlyStoredFiles) only in the library."
            )
            if overview.trashedFiles > 0 {
                lines.append("\(Counted.files(overview.trashedFiles)) of the folder in the library's trash.")
            }
            if overview.deletedFiles > 0 {
                lines.append("\(Counted.files(overview.deletedFiles)) of the folder deleted from the library for good.")
            }
            if !overview.problems.isEmpty {
                lines.append("\(Counted.files(overview.problems.count)) could not be looked at:")
                lines += FailureLines.lines(overview.problems)
            }
            if overview.waitingFiles > 0 { lines.append("Next:  photolala backup \(Terminal.sanitized(folder))") }
        }
        return lines.joined(separator: "\n")
    }
}
