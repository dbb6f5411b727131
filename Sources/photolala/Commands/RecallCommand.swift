import ArgumentParser
import PhotolalaClient

struct RecallCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "recall", abstract: "Request archived photos, to restore them some hours later.",
        discussion: """
            Downloads nothing. Use --dry-run to see how long each speed takes and what it costs the operator of the photo \
            store. Photos that were requested before are not requested again. When the photos are available, restore \
            them:  photolala restore --to FOLDER
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(
        help: ArgumentHelp(
            "bulk (5 to 12 hours, up to 48), standard (3 to 5 hours, up to 12) or expedited (minutes; most expensive). Default: standard.",
            valueName: "speed"))
    var speed: ArchiveRequest.Speed?

    @Option(help: ArgumentHelp("Number of days that requested photos stay available. Default: 7.", valueName: "n"))
    var days: Int?

    @Flag(name: [.long, .customShort("n")], help: "Only show how long it would take and what it would cost.")
    var dryRun = false

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Requested photos stay requested. Run the same command again to resume." }

    func validate() throws {
        if let days, !(1...ArchiveRequest.maximumDays).contains(days) {
            throw ValidationError("--days must be 1 to \(ArchiveRequest.maximumDays).")
        }
    }

    func perform(_ context: CommandContext) async throws -> RecallResult {
        var request = ArchiveRequest()
        if let speed { request.speed = speed }
        if let days { request.days = days }
        let recall = context.library.recall(request, where: wanted.filter, isDryRun: dryRun)
        return RecallResult(
            report: try await ProgressDisplay.watch(
                recall, verb: dryRun ? "Checking" : "Requesting", in: context))
    }
}
