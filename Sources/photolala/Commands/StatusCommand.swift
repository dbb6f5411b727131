import ArgumentParser
import Foundation
import PhotolalaClient

struct StatusCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the size of your library and the backup status of a folder."
    )

    @Argument(help: ArgumentHelp("Folder to compare with the library.", valueName: "folder"), completion: .directory)
    var folder: String?

    @OptionGroup var destination: DestinationOptions

    @OptionGroup var selection: PatternOptions

    @OptionGroup var connection: OfflineOption

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    func validate() throws { try TextChecks.check(folder, of: "FOLDER", expects: "a folder") }

    func perform(_ context: CommandContext) async throws -> StatusResult {
        var selection = FolderSelection()
        selection.patterns = try self.selection.patterns()
        selection.destination = destination.destination()
        let status = context.library.status(
            of: folder.map { URL(fileURLWithPath: $0) }, selecting: selection, offline: connection.offline)
        let overview = try await connection.reading(context) {
            try await ProgressDisplay.watch(status, verb: "Scanning", in: context)
        }
        return StatusResult(folder: folder, destination: selection.destination, overview: overview)
    }
}

/// The counts of the library and the folder.
struct StatusResult: CommandResult {
    let folder: String?
    let destination: String?
    let overview: LibraryOverview

    func encode(to encoder: any Encoder) throws { try overview.encode(to: encoder) }

    var status: ExitStatus { overview.problems.isEmpty ? .done : .someFilesFailed }

    /// Why the size is less than that of `list --count`.
    private var duplicates: String {
        let count = overview.duplicateFiles
        return count > 0 ? " without \(Counted.text(count, "duplicate"))" : ""
    }

    var text: String {
        var lines = [
            "Library: \(Counted.files(overview.storedFiles)), \(ByteText.text(overview.storedBytes))\(duplicates)."
        ]
        if overview.unreadableDates > 0 {
            lines.append(
                "\(Counted.files(overview.unreadableDates)) with an invalid capture date in the catalog. "
                    + "To correct the dates:  photolala refresh-dates")
        }
        if let folder {
            lines.append(
                "\(Terminal.sanitized(folder)): \(Counted.files(overview.localFiles)), "
                    + "\(ByteText.text(overview.localBytes)); \(overview.backedUpFiles) backed up, "
                    + "\(overview.waitingFiles) not backed up. \(overview.onlyStoredFiles) only in the library."
            )
            if overview.trashedFiles > 0 {
                let verb = overview.trashedFiles == 1 ? "is" : "are"
                lines.append(
                    "\(Counted.files(overview.trashedFiles)) of the folder \(verb) in the library's trash.")
            }
            if overview.deletedFiles > 0 {
                let (was, verb) = overview.deletedFiles == 1 ? ("was", "is") : ("were", "are")
                lines.append(
                    "\(Counted.files(overview.deletedFiles)) of the folder \(was) permanently deleted from the library and "
                        + "\(verb) not backed up again.")
            }
            if !overview.problems.isEmpty {
                lines.append("Failed to read \(Counted.files(overview.problems.count)):")
                lines += FailureLines.lines(overview.problems)
            }
            if overview.waitingFiles > 0 {
                lines.append("To back up:  \(SuggestedCommand.text("photolala backup", of: folder, into: destination))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
