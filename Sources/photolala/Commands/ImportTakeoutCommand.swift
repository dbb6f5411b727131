import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportTakeoutCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "takeout", abstract: "Upload the photos of a Google Takeout.",
        discussion: """
            Give all ZIP archives of the export together: a photo and its description can be in different ones. Archives \
            of the kind .tgz must be unpacked before. Photos get the dates, places and favorites of Google Photos. \
            Photos that the library has are not uploaded again; nothing is replaced or removed. An interrupted import \
            resumes when you run it again.
            """
    )

    @Argument(
        help: ArgumentHelp("The ZIP archives, or the folders into which they were unpacked.", valueName: "path"),
        completion: .file())
    var paths: [String]

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be imported.")
    var dryRun = false

    @Option(help: ArgumentHelp("Folder of the library for the photos.", valueName: "folder"))
    var into = TakeoutImportOptions().destination

    @Flag(help: "Import also photos in the trash of Google Photos.")
    var includeTrashed = false

    @OptionGroup var previews: PreviewOptions

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Imported photos are kept. Run the same command again to resume." }

    func validate() throws {
        for path in paths { try TextChecks.check(path, of: "PATH", expects: "an archive or folder") }
        try TextChecks.check(into, of: "--into", expects: "a folder of the library")
    }

    func perform(_ context: CommandContext) async throws -> TakeoutImportResult {
        var library = files.applied(to: context.library)
        library.previews = previews.choice
        let options = TakeoutImportOptions(
            destination: into.trimmingCharacters(in: CharacterSet(charactersIn: "/")), includesTrashed: includeTrashed,
            isDryRun: dryRun)
        let transfer = library.importTakeout(paths.map { URL(fileURLWithPath: $0) }, options: options)
        return TakeoutImportResult(
            report: try await ProgressDisplay.watch(transfer, verb: "Importing", in: context),
            includesTrashed: includeTrashed)
    }
}

/// The result of an import of a Takeout.
struct TakeoutImportResult: CommandResult {
    let report: TakeoutImportReport
    let includesTrashed: Bool

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.photos.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    private var isDryRun: Bool { report.photos.planned != nil }

    var text: String {
        var lines = [
            "Google Takeout: \(Counted.files(report.foundFiles)) and "
                + "\(Counted.text(report.foundDescriptions, "description")) of photos found.",
            "\(isDryRun ? "Would upload" : "Uploaded") \(report.photos.uploadedFiles) of "
                + "\(Counted.files(report.photos.foundFiles)) (\(ByteText.text(report.photos.uploadedBytes))), "
                + "\(report.photos.alreadyStoredFiles) already stored."
                + (isDryRun ? " Dry run: nothing was changed." : ""),
        ]
        lines += counts
        lines += problems
        let photos = report.photos
        lines += FailureLines.leftOut(photos.leftOut)
        lines += FailureLines.lines(photos.keptBeside)
        let failures = report.unreadable + photos.failures
        if !failures.isEmpty {
            lines.append("Failed to import \(Counted.files(failures.count)):")
            lines += FailureLines.lines(failures)
        }
        if let warning = StorageStrings.warning(photos.storage, withoutRoom: photos.filesWithoutRoom) {
            lines.append(warning)
        }
        if let stopped = photos.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }

    /// What was found, without what is zero.
    private var counts: [String] {
        let trash = includesTrashed ? "imported" : "not imported; --include-trashed imports them"
        let all: [(String, Int)] = [
            ("Albums", report.albums.count), ("Photos in albums", report.albums.values.reduce(0, +)),
            ("Favorites", report.favorites), ("Live Photos and motion photos", report.livePhotos),
            ("Edited versions", report.editedVersions), ("Captions (in the stored descriptions)", report.captions),
            ("Archived in Google Photos (imported)", report.archived),
            ("In the locked folder (imported)", report.locked),
            ("Shared by a partner (imported)", report.fromPartner),
            ("In the trash of Google Photos (\(trash))", report.trashed),
            ("Truncated names that were restored", report.restoredNames),
            ("Files in several parts", report.repeatedFiles),
            ("JSON files that describe no photo", report.otherDescriptions),
            ("Files of other services", report.otherFiles),
        ]
        return all.filter { $0.1 > 0 }.map { "  \($0.0): \($0.1)" }
    }

    private var problems: [String] {
        let lists: [(String, [String])] = [
            ("Parts that were not given:", report.missingParts),
            ("Without a description, imported with the date in the file:", report.withoutDescription),
            ("Several descriptions possible, imported with the date in the file:", report.ambiguous),
            ("Descriptions whose photo is in no given part:", report.withoutMedia),
            ("JSON files that cannot be read:", report.unreadableDescriptions),
            ("Descriptions with an unreadable date:", report.unreadableDates),
        ]
        return lists.filter { !$0.1.isEmpty }.flatMap { title, paths in [title] + FailureLines.lines(paths) }
    }
}
