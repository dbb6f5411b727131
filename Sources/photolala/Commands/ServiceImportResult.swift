import PhotolalaClient

/// The result of an import from a photo service.
struct ServiceImportResult<Facts: ServiceFacts>: CommandResult {
    let report: ServiceImportReport<Facts>
    let includesTrashed: Bool

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.photos.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    private var isDryRun: Bool { report.photos.planned != nil }

    var text: String {
        let (photos, contents) = (report.photos, report.contents)
        var lines = [
            "\(Facts.service.exportName): found \(Counted.files(contents.foundFiles)) and metadata for "
                + "\(contents.foundDescriptions).",
            "\(isDryRun ? "Would upload" : "Uploaded") \(photos.uploadedFiles) of "
                + "\(Counted.text(photos.foundFiles, "library file")) (\(ByteText.text(photos.uploadedBytes))), "
                + "\(photos.alreadyStoredFiles) already stored."
                + (isDryRun ? " Dry run: nothing was changed." : ""),
        ]
        lines += counts
        lines += problems
        lines += FailureLines.leftOut(photos.leftOut)
        lines += FailureLines.lines(photos.keptBeside)
        let failures = contents.unreadable + photos.failures
        if !failures.isEmpty {
            lines.append("Failed to import \(Counted.files(failures.count)):")
            lines += FailureLines.lines(failures)
        }
        lines += ThumbnailToolLines.notCreated(by: photos)
        if let warning = StorageStrings.warning(photos.storage, withoutRoom: photos.filesWithoutRoom) {
            lines.append(warning)
        }
        if let stopped = photos.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }

    /// What was found, without what is zero.
    private var counts: [String] {
        let contents = report.contents
        let trash = includesTrashed ? "imported" : "not imported; --include-trashed imports them"
        let all =
            [
                ("Albums", contents.albums.count), ("Photos in albums", contents.albums.values.reduce(0, +)),
                ("Favorites", contents.favorites), ("Live Photos and motion photos", contents.livePhotos),
            ] + report.facts.counts + [
                ("In the trash of \(Facts.service.name) (\(trash))", contents.trashed),
                ("Files in several parts", contents.repeatedFiles),
                ("\(Facts.descriptionFiles) without photo metadata", contents.otherDescriptions),
                ("Files of other services", contents.otherFiles),
            ]
        return all.filter { $0.1 > 0 }.map { "  \($0.0): \($0.1)" }
    }

    private var problems: [String] {
        let contents = report.contents
        let all =
            [
                ("Missing parts:", contents.missingParts),
                ("Without metadata; the date in the file counts:", contents.withoutDescription),
                ("Ambiguous metadata; the date in the file counts:", contents.ambiguous),
                ("Metadata without its photo in these parts:", contents.withoutMedia),
                ("\(Facts.descriptionFiles) that cannot be read:", contents.unreadableDescriptions),
                ("Metadata with an unreadable date:", contents.unreadableDates),
            ] + report.facts.problems
        return all.filter { !$0.1.isEmpty }.flatMap { title, paths in [title] + FailureLines.lines(paths) }
    }
}
