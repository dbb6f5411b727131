import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportImmichCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "immich", abstract: "Upload the photos of an Immich server.",
        discussion: """
            Reads the photos of one account from the running server. Create the API key in Immich under Account \
            Settings, API Keys, with the permissions user.read, asset.read, asset.download and album.read. Photos keep \
            their Immich dates, places and favorites; archived ones are hidden (photolala hidden). Photos already in the \
            library are not uploaded again; nothing is removed. An interrupted import resumes when you run it again, and a \
            later one adds new photos.
            """
    )

    @Argument(help: ArgumentHelp("The address of the Immich server.", valueName: "url"))
    var address: String

    @Option(
        help: ArgumentHelp(
            "File with the API key; - for standard input. Default: $IMMICH_API_KEY.", valueName: "file"),
        completion: .file())
    var apiKeyFile: String?

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be imported.")
    var dryRun = false

    @Option(help: ArgumentHelp("Folder of the library for the photos.", valueName: "folder"))
    var into = ImmichImportOptions().destination

    @Flag(help: "Also import photos in the trash of Immich.")
    var includeTrashed = false

    @OptionGroup var previews: PreviewOptions

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String { "Imported photos are kept. Run the same command again to resume." }

    private static let keyVariable = "IMMICH_API_KEY"
    private static let longestKeyFile = 4096

    func validate() throws {
        try TextChecks.check(address, of: "URL", expects: "the address of an Immich server")
        try TextChecks.check(apiKeyFile, of: "--api-key-file", expects: "a file")
        try TextChecks.check(into, of: "--into", expects: "a folder of the library")
    }

    func perform(_ context: CommandContext) async throws -> ImmichImportResult {
        let server = try ServerAddress(address, allowsPlainHTTP: common.allowPlainHttp)
        let account = try ImmichAccount(server: server, apiKey: try key())
        var library = files.applied(to: context.library)
        library.previews = previews.choice
        let options = ImmichImportOptions(
            destination: into.trimmingCharacters(in: CharacterSet(charactersIn: "/")), includesTrashed: includeTrashed,
            isDryRun: dryRun)
        let transfer = library.importImmich(account, network: context.network, options: options)
        do throws(PhotolalaError) {
            return ImmichImportResult(
                report: try await ProgressDisplay.watch(transfer, verb: "Importing", in: context),
                includesTrashed: includeTrashed)
        } catch {
            guard let advice = ImmichFailure.advice(for: error) else { throw error }
            throw CommandFailure(error, advice: advice, status: ImmichFailure.status(error.code, error.cause))
        }
    }

    private func key() throws -> String {
        if let apiKeyFile {
            let bytes = try InputFile.bytes(of: apiKeyFile, limit: Self.longestKeyFile, content: "the API key")
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let key = ProcessInfo.processInfo.environment[Self.keyVariable], !key.isEmpty else {
            throw CommandFailure(
                "No API key. Give its file with --api-key-file, or set $\(Self.keyVariable).", status: .wrongUsage)
        }
        return key
    }
}

/// Errors of the Immich server. The general advice concerns the server of Photolala.
enum ImmichFailure {
    /// Returns the advice for an error of the Immich server; `nil` for any other.
    static func advice(for error: PhotolalaError) -> [String]? {
        switch error.cause?.code {
        case FailureCode.serviceUnavailable?:
            switch error.code {
            case .serverUnreachable: ["Check the address of the Immich server and your network connection."]
            case .serverNotTrusted: ["Check the address of the Immich server and its certificate."]
            case .noResponse: ["Check that the Immich server is running, then try again."]
            default: []
            }
        case FailureCode.serviceFailed?: ["Try again later."]
        case FailureCode.permissionMissing?, FailureCode.keyRefused?, FailureCode.wrongService?,
            FailureCode.redirected?, FailureCode.unsupportedVersion?, FailureCode.unexpectedAnswer?:
            []
        default: nil
        }
    }

    /// Returns the exit status. A server with another API is not wrong usage.
    static func status(_ code: ErrorCode, _ cause: FailureCause?) -> ExitStatus {
        let isOtherAPI = cause.map { [.unsupportedVersion, .unexpectedAnswer].contains($0.code) } ?? false
        return isOtherAPI ? .failed : ExitStatus(code)
    }
}

/// The result of an import from Immich.
struct ImmichImportResult: CommandResult {
    let report: ImmichImportReport
    let includesTrashed: Bool

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.photos.stopped { return ImmichFailure.status(stopped.code, stopped.cause) }
        return report.isComplete ? .done : .someFilesFailed
    }

    private var isDryRun: Bool { report.photos.planned != nil }

    var text: String {
        let photos = report.photos
        var lines = [
            "Immich \(Terminal.sanitized(report.serverVersion)): \(Counted.text(report.foundPhotos, "photo")) found. "
                + "Photos of the locked folder are not visible with an API key.",
            "\(isDryRun ? "Would upload" : "Uploaded") \(photos.uploadedFiles) of "
                + "\(Counted.files(photos.foundFiles)) (\(ByteText.text(photos.uploadedBytes))), "
                + "\(photos.alreadyStoredFiles) already stored." + (isDryRun ? " Dry run: nothing was changed." : ""),
        ]
        lines += counts
        lines += problems
        lines += FailureLines.leftOut(photos.leftOut)
        lines += FailureLines.lines(photos.keptBeside)
        if !photos.failures.isEmpty {
            lines.append("Failed to import \(Counted.files(photos.failures.count)):")
            lines += FailureLines.lines(photos.failures)
        }
        lines += ThumbnailToolLines.notCreated(by: photos)
        if let warning = StorageStrings.warning(photos.storage, withoutRoom: photos.filesWithoutRoom) {
            lines.append(warning)
        }
        if let stopped = photos.stopped { lines.append("\(stopped.detail) Run the same command again to resume.") }
        return lines.joined(separator: "\n")
    }

    /// What was found, without what is zero.
    private var counts: [String] {
        let trash = includesTrashed ? "imported" : "not imported; --include-trashed imports them"
        let all: [(String, Int)] = [
            ("Albums", report.albums.count), ("Photos in albums", report.albums.values.reduce(0, +)),
            ("Favorites", report.favorites), ("Live Photos and motion photos", report.livePhotos),
            ("Captions and ratings (stored as .xmp)", report.captions),
            ("Archived in Immich (imported as hidden)", report.archived),
            ("In stacks (all imported)", report.stacked),
            ("Edited in Immich (the original is imported)", report.edited),
            ("Without a checksum in Immich (imported unverified)", report.unverified),
            ("Not yet processed by Immich (imported)", report.withoutMetadata),
            ("In the trash of Immich (\(trash))", report.trashed), ("Of partners (not imported)", report.fromPartners),
        ]
        return all.filter { $0.1 > 0 }.map { "  \($0.0): \($0.1)" }
    }

    private var problems: [String] {
        let lists: [(String, [String])] = [
            ("Not imported, because the file is missing in Immich:", report.withoutOriginal),
            ("Not imported, because the server does not describe them as documented:", report.notUnderstood),
            ("Not imported, because the name cannot be a path:", report.unusableNames),
            ("Videos of Live Photos without a picture, not imported:", report.videosWithoutPicture),
            ("Live Photos without their video, imported as pictures:", report.withoutLiveVideo),
        ]
        return lists.filter { !$0.1.isEmpty }.flatMap { title, names in [title] + FailureLines.lines(names) }
    }
}
