import ArgumentParser
import Foundation
import PhotolalaClient

struct BackupCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the photos and videos of folders.",
        discussion: """
            What is stored already is not sent again: stop it whenever you like and run it again. Nothing in your \
            folders is changed.
            """
    )

    @Argument(help: ArgumentHelp("The folders, with all folders in them.", valueName: "folder"))
    var folders: [String]

    @Flag(
        help: """
            Read back what the store has of these photos, and send again what it lost or damaged. Takes as long as \
            bringing them all. Otherwise the first backup of a day asks for about 500 of them, others each day.
            """
    ) var verify = false

    @Flag(help: "Which thumbnails to make, where `vipsthumbnail` is installed.")
    var thumbnails = ThumbnailFlag.newThumbnails

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    var interruptedAdvice: String { "What was sent is safe. Run the same command again to go on." }

    func validate() throws {
        for folder in folders { try TextChecks.check(folder, of: "A folder", takes: "the name of a folder") }
    }

    func perform(_ context: CommandContext) async throws -> BackupResult {
        var unusable = try FolderArguments.missing(
            of: folders, nothingDone: "Nothing was backed up.", isJSON: common.json)
        var reports: [BackupReport] = []
        for folder in folders where !unusable.contains(where: { $0.folder == folder }) {
            let backup = context.library.backUp(
                URL(fileURLWithPath: folder), verifying: verify, thumbnails: thumbnails.choice
            )
            do throws(PhotolalaError) {
                let report = try await ProgressDisplay.watch(backup, verb: "Backing up", on: context.network)
                reports.append(report)
                // Continue with the other folders only if the failure concerns this folder alone.
                if let stopped = report.stopped, stopped.code != .folderUnusable { break }
            } catch {
                guard error.code == .folderUnusable, folders.count > 1 else { throw error }
                unusable.append(UnusableFolder(folder: folder, reason: error.detail))
            }
        }
        return BackupResult(folders: reports, unusableFolders: unusable)
    }
}

/// The result of a backup, per folder.
struct BackupResult: CommandResult {
    let folders: [BackupReport]
    /// Given folders that could not be backed up at all.
    var unusableFolders: [UnusableFolder] = []

    var status: ExitStatus {
        if let stopped = folders.lazy.compactMap(\.stopped).first { return ExitStatus(stopped.code) }
        return unusableFolders.isEmpty && folders.allSatisfy(\.isComplete) ? .done : .someFilesFailed
    }

    var text: String {
        let unusable = unusableFolders.map(\.text)
        let warning = StorageStrings.warning(
            folders.last { $0.storage != nil }?.storage, withoutRoom: folders.reduce(0) { $0 + $1.filesWithoutRoom })
        return (folders.flatMap(lines) + unusable + toolLines + [warning].compactMap { $0 }).joined(separator: "\n")
    }

    /// The note about the missing tool. Printed once, and only if files were uploaded.
    private var toolLines: [String] {
        guard folders.contains(where: { $0.lacksThumbnailTool && $0.uploadedFiles > 0 }) else { return [] }
        return [
            "No thumbnails were made: vipsthumbnail is not installed (Debian, Ubuntu: apt install libvips-tools; macOS: "
                + "brew install vips). Later:  photolala backup --all-thumbnails FOLDER"
        ]
    }

    private func lines(_ report: BackupReport) -> [String] {
        var lines = [
            "\(Terminal.sanitized(report.folder)): \(Counted.files(report.foundFiles)) found, "
                + "\(report.uploadedFiles) sent (\(ByteText.text(report.uploadedBytes))), "
                + "\(report.alreadyStoredFiles) stored already."
                + (report.libraryFiles.map { " Your library has \(Counted.files($0))." } ?? "")
        ]
        if report.thumbnails > 0 { lines.append("\(report.thumbnails) thumbnails made.") }
        if report.photosWithoutThumbnail > 0 {
            lines.append("\(report.photosWithoutThumbnail) photos have no thumbnail: none could be made of them.")
        }
        lines += FailureLines.leftOut(report.leftOut)
        if report.archivedFiles > 0 {
            lines.append("\(Counted.files(report.archivedFiles)) not read back, for the photo store has them archived.")
        }
        lines += FailureLines.lines(report.keptBeside)
        lines += FailureLines.lines(report.sameNames)
        if !report.failures.isEmpty {
            lines.append("\(Counted.files(report.failures.count)) NOT backed up:")
            lines += FailureLines.lines(report.failures)
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to go on.") }
        return lines
    }
}
