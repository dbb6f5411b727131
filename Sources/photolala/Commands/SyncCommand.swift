import ArgumentParser
import Foundation
import PhotolalaClient

struct SyncCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Sync a folder with your library in both directions.",
        discussion: """
            Photos removed from the folder are moved to the library's trash; photos that other devices moved to the trash \
            are moved to .photolala-trash in the folder. Nothing is deleted: photos stay in the trash until you delete \
            them permanently. An interrupted sync resumes when you run it again.

            The first sync asks before it downloads more than 1,000 files or 1 GB.
            """
    )

    @Argument(help: ArgumentHelp("Folder to sync, including subfolders.", valueName: "folder"), completion: .directory)
    var folder: String

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be done with each file.")
    var dryRun = false

    @Flag(help: "Move all photos missing from the folder to the library's trash, without a limit.")
    var trashMissing = false

    @Flag(help: "Move all photos in the library's trash to .photolala-trash, without a limit.")
    var trashHere = false

    @Flag(help: "Keep running, and sync when the folder or library changes, until Ctrl-C.")
    var watch = false

    @OptionGroup var kept: SyncFolderOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { kept.transfer }

    var interruptedAdvice: String { "Completed transfers are kept. Run the same command again to resume." }

    func validate() throws {
        try TextChecks.check(folder, of: "FOLDER", expects: "a folder")
        // Confirmed deletions must not apply to later syncs, in which a disk may be missing.
        if watch, trashMissing || trashHere {
            throw ValidationError("--trash-missing and --trash-here cannot be used with --watch.")
        }
        if kept.upOnly, trashHere { throw ValidationError("--up-only and --trash-here cannot be used together.") }
        if kept.downOnly, trashMissing {
            throw ValidationError("--down-only and --trash-missing cannot be used together.")
        }
        if watch, dryRun { throw ValidationError("--watch and --dry-run cannot be used together.") }
    }

    func perform(_ context: CommandContext) async throws -> SyncResult {
        let displays = SyncDisplay(style: context.progress, network: context.network)
        defer { displays.end() }
        do {
            if watch { try await runWatch(context, displays) }
            let sync = library(context).sync(
                URL(fileURLWithPath: folder), options: try options(), thumbnails: kept.thumbnails.choice,
                confirming: { [self] in await confirm($0, displays) }
            )
            for await progress in sync { displays.show(progress) }
            return SyncResult(report: try await sync.report)
        } catch let error as PhotolalaError where error.code == .downloadNotConfirmed && !Confirmation.isPossible {
            throw CommandFailure(
                error, advice: ["To download without confirmation, add --yes; to upload only, add --up-only."],
                status: .wrongUsage)
        } catch let error as PhotolalaError where error.cause?.code == .readOnlyFileSystem {
            throw CommandFailure(
                error,
                advice: [
                    "A sync keeps a small file in the folder. To upload its photos without it:  "
                        + SuggestedCommand.text("photolala backup ?", folder)
                ])
        }
    }

    private func confirm(_ download: FirstDownload, _ displays: SyncDisplay) async -> Bool {
        if kept.yes || !FirstDownloadStrings.isLarge(download) { return true }
        displays.pause()
        let summary = FirstDownloadStrings.summary(download, to: folder)
        guard Confirmation.isPossible else {
            Terminal.writeNotice(summary)
            return false
        }
        return await Confirmation.prompt("\(summary) Download?")
    }

    private func library(_ context: CommandContext) -> PhotolalaLibrary {
        var library = kept.files.applied(to: context.library)
        library.previews = kept.previews.choice
        return library
    }

    private func runWatch(_ context: CommandContext, _ displays: SyncDisplay) async throws {
        let watching = library(context).watch(
            URL(fileURLWithPath: folder), options: try options(), thumbnails: kept.thumbnails.choice,
            libraryInterval: .seconds(kept.every), confirming: { [self] in await confirm($0, displays) }
        )
        let showing = Task { for await progress in watching.progress { displays.show(progress) } }
        defer { showing.cancel() }
        for try await event in watching {
            displays.clear()
            try WatchLine(event).show(isJSON: common.json)
        }
        throw CancellationError()
    }

    private func options() throws -> SyncOptions {
        var options = SyncOptions()
        options.patterns = try kept.selection.patterns()
        options.isDryRun = dryRun
        options.trashesAllMissing = trashMissing
        options.followsAllTrash = trashHere
        options.directions = kept.directions
        return options
    }
}
