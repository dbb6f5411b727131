import ArgumentParser
import Foundation
import PhotolalaClient

/// The options of a sync that also a service has.
struct SyncFolderOptions: ParsableArguments {
    @Flag(help: "Do not download, and change nothing in the folder.")
    var upOnly = false

    @Flag(help: "Do not upload, and change nothing in the library.")
    var downOnly = false

    @Flag(name: [.long, .customShort("y")], help: "Skip the confirmation of the first sync.")
    var yes = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Seconds between checks of the library while watching.", valueName: "seconds"))
    var every = 30

    @Flag(help: "Thumbnails to create. Requires libvips.")
    var thumbnails = ThumbnailFlag.newThumbnails

    @OptionGroup var previews: PreviewOptions

    @OptionGroup var selection: PatternOptions

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    func validate() throws {
        guard (1...86_400).contains(every) else { throw ValidationError("--every must be 1 to 86400.") }
        if upOnly, downOnly { throw ValidationError("--up-only and --down-only cannot be used together.") }
    }

    var directions: SyncOptions.Directions { upOnly ? .toLibrary : downOnly ? .toFolder : .both }

    /// The options as arguments for a process with another working directory; without those that are as by default.
    var arguments: [String] {
        var words: [String] = []
        func add(_ isGiven: Bool, _ more: String...) { if isGiven { words += more } }
        add(upOnly, "--up-only")
        add(downOnly, "--down-only")
        add(yes, "--yes")
        add(every != 30, "--every", "\(every)")
        add(thumbnails == .allThumbnails, "--all-thumbnails")
        add(thumbnails == .noThumbnails, "--no-thumbnails")
        add(previews.hasNoPreviews, "--no-previews")
        add(previews.quality.value != 80, "--preview-quality", "\(previews.quality.value)")
        words += selection.exclude.flatMap { ["--exclude", $0] }
        if let file = selection.excludeFrom {
            words += ["--exclude-from", URL(filePath: file).standardizedFileURL.path]
        }
        words += selection.include.flatMap { ["--include", $0] }
        if let parallel = files.parallel { words += ["--parallel", "\(parallel)"] }
        add(files.verbose, "--verbose")
        add(transfer.stallTimeout != TransferOptions.usualTimeout, "--stall-timeout", "\(transfer.stallTimeout)")
        if let bandwidth = transfer.bandwidth { words += ["--bwlimit", bandwidth.text] }
        add(transfer.quiet, "--quiet")
        return words
    }
}
