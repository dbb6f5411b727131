import ArgumentParser
import Foundation
import PhotolalaClient

struct ExportCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Download everything stored about you as one ZIP file.",
        discussion: """
            The ZIP file contains your photos with their paths and dates, including those in the trash, and your profile, \
            sign-in methods, devices, subscriptions and activity. Until it is complete, its name ends in .partial; run the \
            same command again to resume. To check it:  python3 verify-export FILE  with the script inside the ZIP file. To \
            include archived photos, request them with --request-archived, and run the same command again some hours later.

            Requires authentication within the last 10 minutes: photolala reauthenticate
            """
    )

    @Option(
        help: ArgumentHelp("ZIP file to create. An existing file is never overwritten.", valueName: "file"),
        completion: .file())
    var to: String

    @OptionGroup var archives: ArchiveOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Exported photos are kept. Run the same command again to resume." }

    func validate() throws {
        try TextChecks.check(to, of: "--to", expects: "a file")
    }

    func perform(_ context: CommandContext) async throws -> ExportResult {
        let export = context.library.export(to: URL(fileURLWithPath: to), askingBack: archives.request)
        return ExportResult(
            report: try await ProgressDisplay.watch(export, verb: "Exporting", in: context))
    }
}
