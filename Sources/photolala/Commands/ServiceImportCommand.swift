import ArgumentParser
import Foundation
import PhotolalaClient

/// A command that imports the exports of one photo service.
protocol ServiceImportCommand: PhotolalaCommand where Result == ServiceImportResult<Facts> {
    associatedtype Facts: ServiceFacts
    var arguments: ServiceImportArguments<Facts> { get }
    /// Starts the import.
    func start(
        _ parts: [URL], _ options: ServiceImportOptions, in library: PhotolalaLibrary
    ) -> Transfer<TransferProgress, ServiceImportReport<Facts>>
}

extension ServiceImportCommand {
    var transferOptions: TransferOptions? { arguments.transfer }

    var interruptedAdvice: String { "Imported photos are kept. Run the same command again to resume." }

    func perform(_ context: CommandContext) async throws -> ServiceImportResult<Facts> {
        var library = arguments.files.applied(to: context.library)
        library.previews = arguments.previews.choice
        let options = ServiceImportOptions(
            destination: arguments.into.trimmingCharacters(in: CharacterSet(charactersIn: "/")),
            includesTrashed: arguments.includeTrashed, isDryRun: arguments.dryRun)
        let transfer = start(arguments.paths.map { URL(fileURLWithPath: $0) }, options, in: library)
        return ServiceImportResult(
            report: try await ProgressDisplay.watch(transfer, verb: "Importing", in: context),
            includesTrashed: arguments.includeTrashed)
    }
}

/// The arguments of an import from a photo service.
struct ServiceImportArguments<Facts: ServiceFacts>: ParsableArguments {
    @Argument(
        help: ArgumentHelp("ZIP archives or folders of the export.", valueName: "path"),
        completion: .file())
    var paths: [String]

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be imported.")
    var dryRun = false

    @Option(help: ArgumentHelp("Folder of the library for the photos.", valueName: "folder"))
    var into = Facts.service.name

    @Flag(help: "Also import photos in the trash of \(Facts.service.name).")
    var includeTrashed = false

    @OptionGroup var previews: PreviewOptions

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    func validate() throws {
        for path in paths { try TextChecks.check(path, of: "PATH", expects: "an archive or folder") }
        try TextChecks.check(into, of: "--into", expects: "a folder of the library")
    }
}

/// What the exports of one service have, as the command line prints it.
protocol ServiceFacts: Sendable, Codable, Equatable {
    static var service: PhotoService { get }
    /// What the files with descriptions are.
    static var descriptionFiles: String { get }
    /// What was found, with its number.
    var counts: [(text: String, number: Int)] { get }
    /// What was not understood, by its title.
    var problems: [(title: String, paths: [String])] { get }
}

extension ServiceFacts {
    static var descriptionFiles: String { "JSON files" }
    var problems: [(title: String, paths: [String])] { [] }
}
