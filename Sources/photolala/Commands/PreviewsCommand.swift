import ArgumentParser
import PhotolalaClient

struct PreviewsCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "previews", abstract: "Create missing previews and thumbnails of stored photos.",
        discussion: """
            For each photo without a preview or thumbnail, downloads the original, creates the missing ones and uploads \
            them; of long videos, only the beginning and the index are downloaded. Also adds the placeholder colors of \
            photos that have a thumbnail and no color. Skips archived photos. An interrupted run resumes when you run it \
            again. Requires libvips, and ffmpeg for videos. For photos in a folder of this device, without downloads:  \
            photolala backup --all-thumbnails FOLDER
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Flag(help: "Also try photos that could not be decoded before. A new version of photolala always does.")
    var retry = false

    @OptionGroup var quality: PreviewQualityOption

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Created previews are kept. Run the same command again to resume." }

    func perform(_ context: CommandContext) async throws -> PreviewsResult {
        var library = context.library
        library.previews = .jpeg(quality: quality.value)
        let creation = library.createPreviews(where: wanted.filter, retries: retry)
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
            return "No previews created\(photos): \(ThumbnailToolLines.missing)"
        }
        guard report.missing > 0 || report.stopped != nil || report.toolFailure != nil else {
            let first = report.videosWithoutTool > 0 ? [] : ["No previews are missing."]
            return (first + coloredLines + videoLines + skippedLines).joined(separator: "\n")
        }
        let isTried = report.missing > 0 || report.stopped != nil
        var lines = isTried ? ["Created previews of \(report.created) of \(Counted.photos(report.missing))."] : []
        lines += coloredLines
        if !report.notCreated.isEmpty {
            lines.append("\(Counted.photos(report.notCreated.count)) could not be decoded:")
            lines += FailureLines.lines(report.notCreated)
        }
        lines += videoLines + skippedLines
        if !report.archived.isEmpty {
            lines.append("\(Counted.photos(report.archived.count)) skipped: archived in the photo store.")
            lines.append(ArchiveLines.requestHint)
        }
        if !report.failures.isEmpty {
            lines.append("Failed to create previews of \(Counted.photos(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if let failure = report.toolFailure { lines.append(ThumbnailToolLines.broken(failure)) }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        if let warning = StorageStrings.warning(report.storage, withoutRoom: 0) { lines.append(warning) }
        return lines.joined(separator: "\n")
    }
}

extension PreviewsResult {
    private var coloredLines: [String] {
        report.colored > 0 ? ["Added the placeholder colors of \(Counted.photos(report.colored))."] : []
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

/// What is missing, or fails, on a device without thumbnails.
enum ThumbnailToolLines {
    static let missing =
        "photolala-thumbnailer or libvips is not installed (Debian, Ubuntu: apt install libvips42; macOS: brew install "
        + "vips)."

    static let missingForVideos =
        "ffmpeg is not installed (Debian, Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg)."

    /// Describes a tool that fails with a correct file.
    static func broken(_ failure: ThumbnailToolFailure) -> String {
        let (tool, remedy) =
            failure.isOfVideos
            ? ("ffmpeg creates no thumbnail of a correct video", "Reinstall ffmpeg")
            : ("photolala-thumbnailer creates no thumbnail of a correct photo", "Reinstall photolala and libvips")
        return "Stopped: \(tool) (\(Terminal.sanitized(failure.detail))). \(remedy), and run the same command again."
    }
}
