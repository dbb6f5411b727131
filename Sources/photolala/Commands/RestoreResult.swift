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
        lines += archiveLines
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }

    /// Lines about files that were not restored because they are archived, and when to retry.
    private var archiveLines: [String] {
        guard !report.archived.isEmpty else { return [] }
        var lines = ["\(Counted.files(report.archived.count)) not restored (archived):"]
        lines += FailureLines.lines(report.archived)
        if report.archived.contains(where: { $0.state == .archived }) {
            lines.append("To request them from the archive, add --ask-back to the same command. Retrieval takes hours.")
        }
        if let seconds = report.comeAgainAfter {
            lines.append(
                "\(Counted.files(report.askedBackFiles)) requested from the archive. Run the same command again in "
                    + "\(Self.time(seconds))."
            )
        } else if report.archived.contains(where: { $0.state == .onItsWay }) {
            lines.append("Retrieval in progress. Run the same command again later.")
        }
        return lines
    }

    /// Returns a duration such as `5 minutes` or `12 hours`.
    private static func time(_ seconds: Int) -> String {
        seconds < 3600 ? Counted.text((seconds + 59) / 60, "minute") : Counted.text((seconds + 3599) / 3600, "hour")
    }
}
