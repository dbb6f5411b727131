import PhotolalaClient

/// The result of a sync.
struct SyncResult: CommandResult {
    let report: SyncReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        var lines = (report.planned ?? []).map { FileLine($0).text }
        lines += [report.isDryRun ? "\(summary) Dry run: nothing was changed." : summary]
        lines += FailureLines.lines(report.keptBeside)
        lines += FailureLines.lines(report.sameNames)
        lines += FailureLines.leftOut(report.leftOut)
        if !report.failures.isEmpty {
            lines.append("Failed to sync \(Counted.files(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if report.archivedFiles > 0 {
            lines.append("\(ArchiveLines.requestHint)  Then sync again some hours later.")
        }
        lines += withheldLines
        if report.ignoredFiles > 0 {
            lines.append("Ignored \(Counted.files(report.ignoredFiles)) of the library at ignored paths.")
        }
        lines += omittedLines
        lines += ThumbnailToolLines.failed(report.filesWithoutThumbnail)
        lines += ThumbnailToolLines.notCreated(
            lacksTool: report.photosWithoutTool != nil, videos: report.videosWithoutTool, report.toolFailure)
        if report.waitingFiles > 0 {
            lines.append("\(Counted.files(report.waitingFiles)) changed recently; deferred to the next sync.")
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        if let warning = StorageStrings.warning(report.storage, withoutRoom: report.filesWithoutRoom) {
            lines.append(warning)
        }
        return lines.joined(separator: "\n")
    }

    private var summary: String {
        let folder = Terminal.sanitized(report.folder)
        guard report.didSomething else {
            if isAllIgnored { return "\(folder): nothing to sync, because patterns exclude everything in the folder." }
            let isDone = report.isComplete && report.waitingFiles == 0
            let state =
                !isDone ? "nothing was synced" : omittedLines.isEmpty ? "up to date" : "nothing to do in this direction"
            return "\(folder): \(state); \(Counted.files(report.localFiles)) in the folder."
        }
        let parts: [(Int, String)] = [
            (report.addedFiles - report.movedInLibrary - report.takenOutFiles, "added to the library"),
            (report.takenOutFiles, "taken out of the library's trash"),
            (report.movedInLibrary, "moved in the library"), (report.downloadedFiles, "downloaded"),
            (report.movedFiles, "moved in the folder"), (report.trashedInLibrary.count, "moved to the library's trash"),
            (report.trashedHere.count, "moved to .photolala-trash"),
        ]
        let done = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let bytes =
            "\(ByteText.text(report.uploadedBytes)) uploaded, \(ByteText.text(report.downloadedBytes)) downloaded"
        return "\(folder): \(done); \(bytes)."
            + (report.libraryFiles.map { " Library: \(Counted.files($0))." } ?? "")
    }

    /// Whether the folder is not empty, and everything in it is ignored.
    private var isAllIgnored: Bool {
        report.localFiles == 0 && !report.leftOut.isEmpty && report.leftOut.allSatisfy { $0.code == .ignored }
    }

    /// Lines about what a sync in one direction did not do.
    private var omittedLines: [String] {
        let parts = [
            (report.omittedDownloads, "not downloaded"), (report.omittedUploads, "not uploaded"),
            (report.omittedRemovals, "removed on one side and kept on the other"),
        ]
        let omitted = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return omitted.isEmpty ? [] : ["One direction only: \(omitted.joined(separator: ", "))."]
    }

    /// Lines about actions that were withheld because too many files are affected, and the command that performs them.
    private var withheldLines: [String] {
        let restore = SuggestedCommand.text("photolala restore --to=?", report.folder)
        var lines: [String] = []
        if let count = report.heldByNames {
            lines.append(
                "Kept \(Counted.files(count)) in your library that are missing from the folder, until the unusable names "
                    + "above are changed.")
        }
        if report.isAnotherFolder {
            lines += [
                "Nothing was synced: this is not the folder that was synced before. Check that its disk is mounted.",
                "Kept \(Counted.files(report.heldInLibrary)) in your library that are missing from the folder. To restore "
                    + "them:  \(restore)",
                "Then sync the folder again. If it is the right folder and you removed the files yourself, add "
                    + "--trash-missing to the same command.",
            ]
        } else if report.heldInLibrary > 0 {
            lines += [
                report.localFiles == 0
                    ? "The folder is empty now. Check that its disk is mounted."
                    : "Many files went missing within two days, possibly by mistake.",
                "Kept \(Counted.files(report.heldInLibrary)) in your library that are missing from the folder. To restore "
                    + "them:  \(restore)",
                "If you removed them yourself, add --trash-missing to the same command.",
            ]
        }
        if report.heldHere > 0 {
            lines += [
                "Kept \(Counted.files(report.heldHere)) in the folder that were trashed on other devices. To move them "
                    + "to .photolala-trash, add --trash-here to the same command."
            ]
        }
        return lines
    }
}
