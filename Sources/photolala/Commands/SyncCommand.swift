import ArgumentParser
import Foundation
import PhotolalaClient

struct SyncCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Make a folder and your library hold the same, in both directions.",
        discussion: """
            What you removed from the folder goes to the library's trash for 30 days; what other devices put there \
            goes to .photolala-trash in the folder. Nothing is deleted. Stop it whenever you like and run it again.
            """
    )

    @Argument(help: ArgumentHelp("The folder, with all folders in it.", valueName: "folder"))
    var folder: String

    @Flag(help: "Only show what would be done.")
    var dryRun = false

    @Flag(help: "Put what is missing in the folder into the library's trash, however much it is.")
    var trashMissing = false

    @Flag(help: "Move what is in the library's trash to .photolala-trash, however much it is.")
    var trashHere = false

    @Flag(help: "Go on: sync again whenever the folder or the library has changed, until Ctrl-C.")
    var watch = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --watch: seconds between two looks at the library.", valueName: "seconds"))
    var every = 30

    @Flag(help: "Which thumbnails to make, where `vipsthumbnail` is installed.")
    var thumbnails = ThumbnailFlag.newThumbnails

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    var interruptedAdvice: String { "What was done is safe. Run the same command again to go on." }
    var printsLines: Bool { watch }

    func validate() throws {
        try TextChecks.check(folder, of: "A folder", takes: "the name of a folder")
        guard (1...86_400).contains(every) else { throw ValidationError("--every takes 1 to 86400 seconds.") }
        // Confirmed deletions must not apply to later syncs, in which a disk may be missing.
        if watch, trashMissing || trashHere {
            throw ValidationError("--trash-missing and --trash-here are for one sync, without --watch.")
        }
        if watch, dryRun { throw ValidationError("--watch and --dry-run do not go together.") }
    }

    func perform(_ context: CommandContext) async throws -> SyncResult {
        let displays = SyncDisplay(network: context.network)
        defer { displays.end() }
        if watch { try await runWatch(context, displays) }
        let sync = context.library.sync(
            URL(fileURLWithPath: folder), options: options, thumbnails: thumbnails.choice
        )
        for await progress in sync { displays.show(progress) }
        return SyncResult(report: try await sync.report)
    }

    private func runWatch(_ context: CommandContext, _ displays: SyncDisplay) async throws {
        let watching = context.library.watch(
            URL(fileURLWithPath: folder), options: options, thumbnails: thumbnails.choice,
            libraryInterval: .seconds(every)
        )
        let showing = Task { for await progress in watching.progress { displays.show(progress) } }
        defer { showing.cancel() }
        for try await round in watching {
            displays.clear()
            WatchLine(round).show(isJSON: common.json)
        }
        throw CancellationError()
    }

    var options: SyncOptions {
        var options = SyncOptions()
        options.isDryRun = dryRun
        options.trashesAllMissing = trashMissing
        options.followsAllTrash = trashHere
        return options
    }
}
