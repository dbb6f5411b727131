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
        var lines = [report.isDryRun ? "\(summary) Nothing was done." : summary]
        lines += FailureLines.lines(report.keptBeside)
        lines += FailureLines.lines(report.sameNames)
        lines += FailureLines.leftOut(report.leftOut)
        if !report.failures.isEmpty {
            lines.append("\(Counted.files(report.failures.count)) NOT synced:")
            lines += FailureLines.lines(report.failures)
        }
        lines += withheldLines
        if report.waitingFiles > 0 {
            lines.append("\(Counted.files(report.waitingFiles)) changed just now: will be synced next time.")
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to go on.") }
        if let warning = StorageStrings.warning(report.storage, withoutRoom: report.filesWithoutRoom) {
            lines.append(warning)
        }
        return lines.joined(separator: "\n")
    }

    private var summary: String {
        let folder = Terminal.sanitized(report.folder)
        guard report.didSomething else {
            let words = report.isComplete ? "nothing to do" : "nothing done"
            return "\(folder): \(words), \(Counted.files(report.localFiles))."
        }
        let parts: [(Int, String)] = [
            (report.addedFiles, "to the library"), (report.downloadedFiles, "to the folder"),
            (report.movedFiles, "moved here"), (report.trashedInLibrary.count, "to the library's trash"),
            (report.trashedHere.count, "to .photolala-trash here"),
        ]
        let done = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let bytes =
            "\(ByteText.text(report.uploadedBytes)) sent, \(ByteText.text(report.downloadedBytes)) fetched"
        return "\(folder): \(done); \(bytes)."
            + (report.libraryFiles.map { " Your library has \(Counted.files($0))." } ?? "")
    }

    /// Lines about actions that were withheld because too many files are affected, and the command that performs them.
    private var withheldLines: [String] {
        let folder = ShellWord.quoted(Terminal.sanitized(report.folder))
        var lines: [String] = []
        if let count = report.heldByNames {
            lines.append(
                "\(Counted.files(count)) \(count == 1 ? "is missing here and stays" : "are missing here and stay") in the "
                    + "library until these names are changed.")
        }
        if report.isAnotherFolder {
            lines += [
                "This is not the folder that was synced before, so nothing was done: is its disk mounted?",
                "\(Counted.files(report.heldInLibrary)) missing here stay in your library. To bring them back here:  "
                    + "photolala restore --to \(folder)",
                "After that the folder can be synced again. Only if it is the right folder, and you removed them "
                    + "yourself:  photolala sync --trash-missing \(folder)",
            ]
        } else if report.heldInLibrary > 0 {
            lines += [
                "So much is missing at once, or within two days, that it may be a mistake.",
                "\(Counted.files(report.heldInLibrary)) missing in the folder stay in your library. To bring them "
                    + "back:  photolala restore --to \(folder)",
                "Only if you removed them yourself:  photolala sync --trash-missing \(folder)",
            ]
        }
        if report.heldHere > 0 {
            lines += [
                "\(Counted.files(report.heldHere)) put into the library's trash elsewhere stay in the folder. To move "
                    + "them to .photolala-trash:  photolala sync --trash-here \(folder)"
            ]
        }
        return lines
    }
}
