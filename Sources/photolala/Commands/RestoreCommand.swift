import ArgumentParser
import Foundation
import PhotolalaClient

struct RestoreCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring your photos and videos to a folder, with their names and dates.",
        discussion: """
            Nothing that stands there is replaced. Stop it whenever you like and run it again. With paths or options only \
            what they mean, and what belongs to it: the other half of a Live Photo, edits, sidecars. Photos that the photo \
            store has archived come in two steps: ask for them with --ask-back, and run it again some hours later.
            """
    )

    @Option(help: ArgumentHelp("The folder; made where it is missing.", valueName: "folder"))
    var to: String

    @OptionGroup var wanted: FilterOptions

    @Flag(help: "Only say what would come, and write nothing.")
    var dryRun = false

    @OptionGroup var archives: ArchiveOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    var interruptedAdvice: String { "What has come is there. Run the same command again to go on." }

    func validate() throws {
        try TextChecks.check(to, of: "--to", takes: "the name of a folder")
    }

    func perform(_ context: CommandContext) async throws -> RestoreResult {
        let restore = context.library.restore(
            to: URL(fileURLWithPath: to), where: wanted.filter, askingBack: archives.request, isDryRun: dryRun
        )
        return RestoreResult(
            report: try await ProgressDisplay.watch(
                restore, verb: dryRun ? "Looking" : "Restoring", on: context.network)
        )
    }
}
