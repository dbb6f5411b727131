import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Upload the photos of an export to your library.",
        discussion: "Without a subcommand, imports a Photolala export:  photolala import FILE",
        subcommands: [
            ImportArchiveCommand.self, ImportTakeoutCommand.self, ImportICloudCommand.self, ImportEnteCommand.self,
            ImportImmichCommand.self,
        ],
        defaultSubcommand: ImportArchiveCommand.self
    )
}

struct ImportArchiveCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Upload the photos of a Photolala export.",
        discussion: """
            The export can be of this account or another one, from photolala export or the web page. Photos keep their \
            paths and dates; those in the trash are imported to the trash. Albums, favorites and hidden photos are taken \
            over. Photos already in the library are skipped; nothing is replaced or removed. An interrupted import resumes \
            when you run it again.
            """
    )

    @Argument(
        help: ArgumentHelp("The ZIP archive, as it was downloaded.", valueName: "file"),
        completion: .file(extensions: ["zip"]))
    var file: String

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Imported photos are kept. Run the same command again to resume." }

    func validate() throws {
        try TextChecks.check(file, of: "FILE", expects: "a file")
    }

    func perform(_ context: CommandContext) async throws -> ImportResult {
        let transfer = context.library.importExport(URL(fileURLWithPath: file))
        do throws(PhotolalaError) {
            return ImportResult(
                report: try await ProgressDisplay.watch(transfer, verb: "Importing", in: context))
        } catch {
            guard error.cause?.code == .notAnExport else { throw error }
            throw CommandFailure(error, advice: advice(for: try await LocalContent.examine(file)))
        }
    }

    private func advice(for content: LocalContent) -> [String] {
        let backup = SuggestedCommand.text("photolala backup ?", file)
        let photos = LocalPath.kind(of: "\(file)/photos") == .folder ? "\(file)/photos" : "FOLDER/photos"
        return switch content {
        case .export(let service):
            [
                "To import this export of \(service.name):  "
                    + SuggestedCommand.text("photolala import \(service.subcommand) ?", file)
            ]
        case .folderOfOwnExport: ["To import a Photolala export in this folder:  photolala import FILE"]
        case .unpackedOwnExport:
            [
                "This is an unpacked Photolala export. To import it, use its ZIP archive:  photolala import FILE",
                "To upload only the photos in it:  "
                    + SuggestedCommand.text("photolala backup --exclude '*.json' ?", photos),
            ]
        case .compressedTar: ["To import a Google Takeout, unpack its archive:  photolala import takeout FOLDER"]
        case .folder: ["To upload the photos of a folder:  \(backup)"]
        case .archive: ["To upload the photos of another archive, unpack it:  photolala backup FOLDER"]
        case .photo: ["To upload a photo or video:  \(backup)"]
        case .other: []
        }
    }
}

/// The result of an import.
struct ImportResult: CommandResult {
    let report: ImportReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        var lines = [
            "\(Terminal.sanitized(report.file)): Imported \(Counted.files(report.uploadedPhotos)) "
                + "(\(ByteText.text(report.uploadedBytes))), \(report.alreadyStoredPhotos) already stored."
        ]
        let documents = [
            (report.albums, "album"), (report.favorites, "favorite"), (report.hiddenPhotos, "hidden photo"),
        ]
        let parts = documents.filter { $0.0 > 0 }.map { Counted.text($0.0, $0.1) }
        if !parts.isEmpty { lines.append("Taken over: \(parts.joined(separator: ", ")).") }
        if !report.keptBeside.isEmpty {
            lines.append("Added in the folder Imported, because the library has other photos there:")
            lines += FailureLines.lines(report.keptBeside.map(\.path))
        }
        if !report.failures.isEmpty {
            lines.append("Failed to import \(Counted.files(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if report.missingPhotos > 0 {
            lines.append("The archive lacks \(Counted.files(report.missingPhotos)). Its missing.json names them.")
        }
        if report.unlistedFiles > 0 {
            lines.append(
                "Not imported: \(Counted.files(report.unlistedFiles)) in the archive's folder unlisted, without names.")
        }
        if report.uploadedPhotos > 0 {
            lines.append("An export has no previews. To create those of the imported photos:  photolala previews")
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }
}
