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
            "\(Terminal.sanitized(report.folder)): \(Counted.files(report.restoredFiles)) "
                + (report.isDryRun ? "would be restored " : "restored ")
                + "(\(ByteText.text(report.restoredBytes))), \(report.alreadyThereFiles) there already."
        ]
        lines += FailureLines.lines(report.keptBeside)
        if !report.failures.isEmpty {
            lines.append("\(Counted.files(report.failures.count)) NOT restored:")
            lines += FailureLines.lines(report.failures)
        }
        if report.damagedFiles > 0 {
            lines.append("On a device that still has what the store lost:  photolala backup --verify FOLDER")
        }
        lines += archiveLines
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to go on.") }
        return lines.joined(separator: "\n")
    }

    /// Lines about files that were not restored because they are archived, and when to retry.
    private var archiveLines: [String] {
        guard !report.archived.isEmpty else { return [] }
        var lines = ["\(Counted.files(report.archived.count)) NOT restored, for the photo store has them archived:"]
        lines += FailureLines.lines(report.archived)
        if report.archived.contains(where: { $0.state == .archived }) {
            lines.append("To ask for them, which takes hours, run the same command with --ask-back.")
        }
        if let seconds = report.comeAgainAfter {
            lines.append(
                "\(Counted.files(report.askedBackFiles)) asked back. Run the same command again in \(Self.time(seconds))."
            )
        } else if report.archived.contains(where: { $0.state == .onItsWay }) {
            lines.append("Run the same command again later to bring what is on its way.")
        }
        return lines
    }

    /// Returns a duration such as `5 minutes` or `12 hours`.
    private static func time(_ seconds: Int) -> String {
        seconds < 3600 ? "\((seconds + 59) / 60) minutes" : "\((seconds + 3599) / 3600) hours"
    }
}
