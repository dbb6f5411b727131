import PhotolalaClient

/// The result of a restore.
struct RestoreResult: CommandResult {
    let report: RestoreReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        guard report.wantedFiles > 0 || report.stopped != nil else {
            return "No matching photos. Nothing was restored."
        }
        var lines = [
            "\(Terminal.sanitized(report.folder)): \(report.isDryRun ? "Would restore" : "Restored") "
                + "\(Counted.files(report.restoredFiles)) (\(ByteText.text(report.restoredBytes))), "
                + "\(report.alreadyThereFiles) already present."
        ]
        lines += FailureLines.lines(report.keptBeside)
        if !report.failures.isEmpty {
            lines.append("Failed to restore \(Counted.files(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if report.damagedFiles > 0 {
            lines.append("To repair them, on a device that has the photos:  photolala backup --verify FOLDER")
        }
        lines += ArchiveLines.lines(
            report.archived, verb: "restored", requested: report.askedBackFiles, after: report.comeAgainAfter)
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }
}
