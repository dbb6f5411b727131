import Foundation
import PhotolalaClient

/// The result of requesting archived photos.
struct RecallResult: CommandResult {
    let report: RecallReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        guard report.wantedFiles > 0 || report.stopped != nil else {
            return "No matching photos. Nothing was requested."
        }
        var lines = report.isDryRun ? estimateLines : requestLines
        if report.onItsWayFiles > 0 {
            lines.append("\(Counted.photos(report.onItsWayFiles)) requested earlier, retrieval in progress.")
        }
        if report.readableFiles > 0 { lines.append("\(Counted.photos(report.readableFiles)) available now.") }
        if !report.failures.isEmpty {
            lines.append("Failed to \(report.isDryRun ? "check" : "request") \(Counted.photos(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }

    private var estimateLines: [String] {
        guard report.archivedFiles > 0 else { return ["No archived photos to request."] }
        let photos = "\(Counted.photos(report.archivedFiles)) archived (\(ByteText.text(report.archivedBytes)))"
        let lines = report.options.map { option in
            let count = option.files < report.archivedFiles ? ", only \(Counted.photos(option.files))" : ""
            return "  \(option.speed.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0))"
                + "within \(ArchiveLines.time(option.seconds)), costs the operator about \(Self.price(option.dollars))\(count)"
        }
        return ["\(photos). Dry run: nothing was requested."] + lines + [
            "Costs are AWS list prices in us-east-1, with copies that stay available for "
                + "\(Counted.text(report.days, "day"))."
        ]
    }

    private var requestLines: [String] {
        guard report.askedBackFiles > 0 else { return ["No photos requested."] }
        let photos = "\(Counted.photos(report.askedBackFiles)) (\(ByteText.text(report.askedBackBytes)))"
        guard let seconds = report.comeAgainAfter else { return ["\(photos) requested from the archive."] }
        return [
            "\(photos) requested from the archive, usually available in \(ArchiveLines.time(seconds)).",
            "Then restore them:  photolala restore --to FOLDER",
        ]
    }

    /// Returns a price in dollars and cents.
    static func price(_ dollars: Double) -> String {
        dollars > 0 && dollars < 0.01 ? "$0.01 or less" : String(format: "$%.2f", dollars)
    }
}
