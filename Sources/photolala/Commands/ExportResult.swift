import PhotolalaClient

/// The result of an export.
struct ExportResult: CommandResult {
    let report: ExportReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        var lines: [String] = []
        if let bytes = report.bytes {
            lines.append(
                "\(Terminal.sanitized(report.file)): Exported \(Counted.files(report.photos)) (\(ByteText.text(bytes)))."
            )
        }
        if let date = report.resumedFrom {
            lines.append(
                "\(Terminal.sanitized(report.file)) has the library of \(DateText.zonedMinute(date)), when it was begun, "
                    + "without later changes. For a new one, export to another file.")
        }
        if report.isCatalogDamaged {
            lines.append(
                "The catalog is damaged: the export has the photos in its folder “unlisted”, without their names.")
            lines.append("To repair it:  photolala repair-catalog  Then export to another file.")
        }
        if !report.missing.isEmpty {
            lines.append("Missing from the photo store, not in the export (\(Counted.files(report.missing.count))):")
            lines += FailureLines.lines(report.missing)
        }
        if !report.failures.isEmpty {
            lines.append(
                report.bytes == nil
                    ? "Failed to export \(Counted.files(report.failures.count)):"
                    : "Damaged in the photo store and in the export (\(Counted.files(report.failures.count))):")
            lines += FailureLines.lines(report.failures)
        }
        if !report.missing.isEmpty || report.damagedPhotos > 0 {
            lines.append("To repair them, on a device that has the photos:  photolala backup --verify FOLDER")
        }
        lines += ArchiveLines.lines(
            report.archived, verb: "exported", requested: report.askedBackFiles, after: report.comeAgainAfter)
        if let stopped = report.stopped { lines.append(stopped.detail) }
        if report.bytes == nil {
            lines.append("\(Terminal.sanitized(report.file)) is not complete. Run the same command again to resume.")
        }
        return lines.joined(separator: "\n")
    }
}
