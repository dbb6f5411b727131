import ArgumentParser
import Foundation
import PhotolalaClient

struct BackupCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the photos and videos of folders.",
        discussion: """
            Skips photos that are already stored, so an interrupted backup resumes when you run it again. Never changes \
            your folders.
            """
    )

    @Argument(help: ArgumentHelp("Folders to back up, including subfolders.", valueName: "folder"))
    var folders: [String]

    @Flag(
        help: """
            Verify all stored copies by downloading them, and upload lost or damaged ones again. Takes as long as a \
            restore. By default, the first backup of a day checks about 500 of them, others each day.
            """
    ) var verify = false

    @Flag(help: "Thumbnails to create. Requires libvips.")
    var thumbnails = ThumbnailFlag.newThumbnails

    @OptionGroup var previews: PreviewOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    var interruptedAdvice: String { "Uploaded files are kept. Run the same command again to resume." }

    func validate() throws {
        for folder in folders { try TextChecks.check(folder, of: "FOLDER", expects: "a folder") }
    }

    func perform(_ context: CommandContext) async throws -> BackupResult {
        var unusable = try FolderArguments.missing(
            of: folders, nothingDone: "Nothing was backed up.", isJSON: common.json)
        var reports: [BackupReport] = []
        var library = context.library
        library.previews = previews.choice
        for folder in folders where !unusable.contains(where: { $0.folder == folder }) {
            let backup = library.backUp(
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
            "No thumbnails created: \(ThumbnailToolLines.missing) To create them later:  photolala backup --all-thumbnails FOLDER"
        ]
    }

    private func lines(_ report: BackupReport) -> [String] {
        let uploaded =
            report.foundFiles == 0
            ? "no photos or videos found."
            : "Uploaded \(report.uploadedFiles) of \(Counted.files(report.foundFiles)) "
                + "(\(ByteText.text(report.uploadedBytes))), \(report.alreadyStoredFiles) already stored."
        var lines = [
            "\(Terminal.sanitized(report.folder)): \(uploaded)"
                + (report.libraryFiles.map { " Library: \(Counted.files($0))." } ?? "")
        ]
        if report.thumbnails > 0 {
            let previews = report.previews > 0 ? " and \(Counted.text(report.previews, "preview"))" : ""
            lines.append("Created \(Counted.text(report.thumbnails, "thumbnail"))\(previews).")
        }
        if report.photosWithoutThumbnail > 0 {
            lines.append("Failed to create \(Counted.text(report.photosWithoutThumbnail, "thumbnail")).")
        }
        lines += FailureLines.leftOut(report.leftOut)
        if report.archivedFiles > 0 {
            lines.append("\(Counted.files(report.archivedFiles)) not verified: archived in the photo store.")
            lines.append(ArchiveLines.requestHint)
        }
        lines += FailureLines.lines(report.keptBeside)
        lines += FailureLines.lines(report.sameNames)
        if !report.failures.isEmpty {
            lines.append("Failed to back up \(Counted.files(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines
    }
}
