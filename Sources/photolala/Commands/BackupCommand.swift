import ArgumentParser
import Foundation
import PhotolalaClient

struct BackupCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the photos and videos of folders, or single files.",
        discussion: """
            Skips photos that are already stored, so an interrupted backup resumes when you run it again. Never changes \
            your folders. Files and folders that match a .photolalaignore file are ignored.
            """
    )

    @Argument(
        help: ArgumentHelp("Folders to back up, including subfolders, and single files.", valueName: "path"),
        completion: .file())
    var paths: [String]

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be done with each file.")
    var dryRun = false

    @Flag(
        help: """
            Verify all stored copies by downloading them, and upload lost or damaged ones again. Takes as long as a \
            restore. By default, the first backup of a day checks about 500 of them, different ones each day.
            """
    ) var verify = false

    @Flag(help: "Thumbnails to create. Requires libvips.")
    var thumbnails = ThumbnailFlag.newThumbnails

    @OptionGroup var previews: PreviewOptions

    @OptionGroup var destination: DestinationOptions

    @Flag(help: "Put the photos of each given folder in a library folder with its name.")
    var byName = false

    @OptionGroup var list: FileListOptions

    @OptionGroup var selection: PatternOptions

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Uploaded files are kept. Run the same command again to resume." }

    func validate() throws {
        for path in paths { try TextChecks.check(path, of: "PATH", expects: "a folder or file") }
        if list.filesFrom != nil, paths.count != 1 {
            throw ValidationError("--files-from requires exactly one folder.")
        }
        if dryRun, verify { throw ValidationError("--dry-run and --verify cannot be used together.") }
    }

    func perform(_ context: CommandContext) async throws -> BackupResult {
        var unusable = try FolderArguments.missing(
            of: paths, allowsFiles: list.filesFrom == nil, nothingDone: "Nothing was backed up.", isJSON: common.json)
        let usable = paths.filter { path in !unusable.contains { $0.folder == path } }
        let backups = try backups(of: usable, unusable: &unusable)
        if !common.json {
            for case (let source, let selection) in backups where selection.destination == nil {
                if let notice = source.syncedFolderNotice { Terminal.writeNotice(notice) }
            }
        }
        var reports: [BackupReport] = []
        var library = files.applied(to: context.library)
        library.previews = previews.choice
        for (source, selection) in backups {
            let folder = URL(fileURLWithPath: source.folder)
            let backup =
                dryRun
                ? library.planBackUp(folder, selecting: selection)
                : library.backUp(folder, selecting: selection, verifying: verify, thumbnails: thumbnails.choice)
            do throws(PhotolalaError) {
                let report = try await ProgressDisplay.watch(backup, verb: "Backing up", in: context)
                reports.append(report)
                // Continue with the other folders only if the failure concerns this folder alone.
                if let stopped = report.stopped, stopped.code != .folderUnusable { break }
            } catch {
                guard error.code == .folderUnusable, backups.count > 1 || !unusable.isEmpty else { throw error }
                unusable.append(UnusableFolder(folder: source.folder, error))
            }
        }
        return BackupResult(folders: reports, unusableFolders: unusable)
    }

    /// Returns the sources with the selection of their files.
    /// - Parameter unusable: Receives listed files that cannot be backed up.
    private func backups(
        of paths: [String], unusable: inout [UnusableFolder]
    ) throws -> [(BackupSource, FolderSelection)] {
        let patterns = try selection.patterns()
        let (distinct, repetitions) = BackupSource.distinct(paths, patterns: patterns)
        if !common.json { for repetition in repetitions { Terminal.writeNotice(repetition.notice) } }
        var named: Set<String> = []
        return try BackupSource.sources(of: distinct).map { source in
            var selection = FolderSelection()
            selection.patterns = patterns
            selection.files = try list.paths(in: source.folder, unusable: &unusable) ?? source.files
            var name: String?
            if byName, source.files == nil {
                name = LocalPath.folderName(source.folder)
                guard let name else {
                    throw CommandFailure(
                        "--by-name: \(source.folder) has no folder name. Use --into FOLDER.", status: .wrongUsage)
                }
                guard named.insert(name).inserted else {
                    throw CommandFailure(
                        "--by-name: two folders are named \(name). Back them up separately with --into.",
                        status: .wrongUsage)
                }
            }
            selection.destination = destination.destination(name)
            try selection.check()
            return (source, selection)
        }
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

    /// The note about a missing or failing tool. Printed once.
    private var toolLines: [String] {
        ThumbnailToolLines.notCreated(
            lacksTool: folders.contains { $0.photosWithoutTool != nil },
            videos: folders.reduce(0) { $0 + $1.videosWithoutTool }, folders.lazy.compactMap(\.toolFailure).first)
    }

    private func destination(_ report: BackupReport) -> String {
        report.destination.map { " into \(Terminal.sanitized($0))" } ?? ""
    }

    private func lines(_ report: BackupReport) -> [String] {
        let uploaded =
            report.foundFiles == 0
            ? "no photos or videos found."
            : "\(report.planned == nil ? "Uploaded" : "Would upload") \(report.uploadedFiles) of \(Counted.files(report.foundFiles)) "
                + "(\(ByteText.text(report.uploadedBytes))), \(report.alreadyStoredFiles) already stored"
                + (report.addedFiles > 0 ? " (\(report.addedFiles) added to the library)." : ".")
        var lines =
            (report.planned ?? []).map { FileLine($0).text } + [
                "\(Terminal.sanitized(report.folder))\(destination(report)): \(uploaded)"
                    + (report.libraryFiles.map { " Library: \(Counted.files($0))." } ?? "")
                    + (report.planned == nil ? "" : " Dry run: nothing was changed.")
            ]
        if report.thumbnails > 0 {
            let previews = report.previews > 0 ? " and \(Counted.text(report.previews, "preview"))" : ""
            lines.append("Created \(Counted.text(report.thumbnails, "thumbnail"))\(previews).")
        }
        lines += ThumbnailToolLines.failed(report.filesWithoutThumbnail)
        lines += FailureLines.leftOut(report.leftOut)
        if report.filesInTrash == nil, report.alreadyStoredFiles > 0, report.stopped == nil {
            lines.append(
                "Not compared with the library's trash. To compare:  "
                    + SuggestedCommand.text("photolala status", of: report.folder, into: report.destination))
        }
        if let trashed = report.filesInTrash, !trashed.isEmpty {
            lines.append(
                "In the trash, not in the library: \(Counted.files(trashed.count)). To restore:  photolala trash restore PATH"
            )
            lines += FailureLines.lines(trashed)
        }
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
