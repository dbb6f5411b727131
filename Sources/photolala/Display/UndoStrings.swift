import PhotolalaClient

/// Formats the undo of a change to the trash.
enum UndoStrings {
    /// Returns, for example, `trash put of 2026-11-22 14:05`.
    static func change(_ report: UndoReport) -> String {
        let command =
            switch report.change {
            case .movedToTrash: "trash put"
            case .restored: "trash restore"
            case .synced: "sync"
            }
        return "\(command) of \(DateText.minute(report.changedAt))"
    }

    /// Returns, for example, `restore 12 files (34 MB) from the trash`, or `restored …` after it was done.
    static func effect(_ report: UndoReport) -> String {
        let (restored, trashed) = (report.restoredFiles, report.files - report.restoredFiles)
        let (restore, move) = report.isDone ? ("restored", "moved") : ("restore", "move")
        let size = " (\(ByteText.text(report.bytes)))"
        if trashed == 0 { return "\(restore) \(Counted.files(restored))\(size) from the trash" }
        if restored == 0 { return "\(move) \(Counted.files(trashed))\(size) to the trash" }
        return "\(restore) \(Counted.files(restored)) from the trash and \(move) \(Counted.files(trashed)) to it\(size)"
    }

    /// Returns one line for each reason why files keep their state.
    static func exceptions(_ report: UndoReport) -> [String] {
        var lines: [String] = []
        if report.changedFiles > 0 {
            let interrupted = report.files + report.purgedFiles == 0 ? ", or the command failed" : ""
            lines.append("\(Counted.files(report.changedFiles)) changed since\(interrupted); not touched.")
        }
        if report.purgedFiles > 0 { lines.append("\(Counted.files(report.purgedFiles)) permanently deleted since.") }
        return lines
            + report.missing.map { "\(Terminal.sanitized($0)) is not in the photo store; kept in the trash." }
    }
}
