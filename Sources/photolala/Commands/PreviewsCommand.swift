import ArgumentParser
import PhotolalaClient

struct PreviewsCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "previews", abstract: "Create missing previews and thumbnails of stored photos.",
        discussion: """
            For each photo without a preview or thumbnail, downloads the original, creates the missing ones and uploads \
            them; of long videos, only the beginning and the index or end are downloaded. Also adds the placeholder colors \
            of photos that have a thumbnail and no color, and the cameras and durations that the library lacks. For these \
            two it reads 64 kB to 1 MB of a photo or video, and up to 9 MB of videos other than MP4, MOV and 3GP, once on \
            each device. Skips archived photos. An interrupted run resumes when you run it again. Requires libvips, and \
            ffmpeg for videos.

            For photos in a folder of this device, without downloads:  photolala backup --all-thumbnails FOLDER
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Flag(help: "Also try photos that could not be decoded before. A new version of photolala always does.")
    var retry = false

    @Flag(help: "Also read all stored previews and thumbnails, and create damaged ones again.")
    var verify = false

    @Flag(
        name: .customLong("renew-thumbnails"),
        help: ArgumentHelp(
            "Also replace damaged thumbnails and those of up to 256 pixels, as earlier versions created.",
            discussion: "Reads each thumbnail once on each device, and again after it has changed."))
    var renewsThumbnails = false

    @OptionGroup var quality: PreviewQualityOption

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Created previews are kept. Run the same command again to resume." }

    func perform(_ context: CommandContext) async throws -> PreviewsResult {
        var library = context.library
        library.previews = .jpeg(quality: quality.value)
        let creation = library.createPreviews(
            where: wanted.filter, retries: retry, verifying: verify, renewingThumbnails: renewsThumbnails)
        return PreviewsResult(
            report: try await ProgressDisplay.watch(creation, verb: "Creating previews", in: context))
    }
}

/// The result of creating previews.
struct PreviewsResult: CommandResult {
    let report: PreviewReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        guard !report.lacksThumbnailTool else {
            let photos = report.missing > 0 ? " of \(Counted.photos(report.missing))" : ""
            return (["No previews created\(photos): \(ThumbnailToolLines.missing)"] + detailLines + failureLines)
                .joined(separator: "\n")
        }
        var lines: [String] = []
        if report.missing > 0 {
            lines.append("Created previews of \(report.created) of \(Counted.photos(report.missing)).")
        } else if report.stopped == nil, report.videosWithoutTool == 0, report.toolFailure == nil {
            lines.append("No previews are missing.")
        }
        lines += renewedLines + coloredLines + detailLines
        if !report.notCreated.isEmpty {
            lines.append("\(Counted.photos(report.notCreated.count)) could not be decoded:")
            lines += FailureLines.lines(report.notCreated)
        }
        lines += videoLines + skippedLines
        if !report.archived.isEmpty {
            lines.append("\(Counted.photos(report.archived.count)) skipped: archived in the photo store.")
            lines.append(ArchiveLines.requestHint)
        }
        lines += failureLines
        if let failure = report.toolFailure { lines.append(ThumbnailToolLines.stopped(failure)) }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        if let warning = StorageStrings.warning(report.storage, withoutRoom: 0) { lines.append(warning) }
        return lines.joined(separator: "\n")
    }
}

extension PreviewsResult {
    private var renewedLines: [String] {
        guard let count = report.thumbnailsToRenew else { return [] }
        return [
            count == 0
                ? "No thumbnails need to be renewed."
                : "Renewed \(report.renewed) of \(Counted.text(count, "thumbnail"))."
        ]
    }

    private var coloredLines: [String] {
        report.colored > 0 ? ["Added the placeholder colors of \(Counted.photos(report.colored))."] : []
    }

    private var detailLines: [String] {
        var lines: [String] = []
        if report.described > 0 {
            lines.append("Added the camera or duration of \(Counted.photos(report.described)).")
        }
        if report.archivedDetails > 0 {
            lines.append(
                "Camera or duration of \(Counted.photos(report.archivedDetails)) not read: archived in the photo store."
            )
        }
        return lines
    }

    private var failureLines: [String] {
        let failures = report.failures.filter { $0.code != .quotaExceeded }
        let refused = report.failures.count - failures.count
        return
            (failures.isEmpty ? [] : ["Failed to process \(Counted.photos(failures.count)):"])
            + FailureLines.lines(failures)
            + (refused > 0
                ? ["\(triedPictures) of \(Counted.photos(refused)) not uploaded: quota exceeded."] : [])
    }

    /// What the run tried to create. Only renewed thumbnails are not missing before.
    private var triedPictures: String {
        guard report.thumbnailsToRenew ?? 0 > 0 else { return "Previews" }
        return report.missing > 0 ? "Previews or thumbnails" : "Thumbnails"
    }

    private var videoLines: [String] {
        guard report.videosWithoutTool > 0 else { return [] }
        let videos = Counted.text(report.videosWithoutTool, "video")
        return ["No previews created of \(videos): \(ThumbnailToolLines.missingForVideos)"]
    }

    private var skippedLines: [String] {
        guard report.skipped > 0 else { return [] }
        return [
            "\(Counted.photos(report.skipped)) skipped: could not be decoded before. To try again: photolala previews --retry"
        ]
    }
}
