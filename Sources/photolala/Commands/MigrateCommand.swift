import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct MigrateCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the photos of this device to your account, after showing what it takes.",
        discussion: """
            Looks through the folders, tells how many photos are to be sent, how long that takes and whether they fit, and \
            asks. The photos stay where they are. Stop it whenever you like and run it again.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The folders. Else those of the last migration that is not over, or those of `photolala local scan FOLDER`.",
            valueName: "folder"
        ))
    var folders: [String] = []

    @OptionGroup var wanted: TraitOptions

    @Flag(name: [.long, .customShort("y")], help: "Do not ask.")
    var yes = false

    @Flag(help: "Only show what it takes.")
    var dryRun = false

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    var interruptedAdvice: String {
        "What was sent is safe, and your photos are where they were. Run it again to go on."
    }

    func validate() throws {
        if common.json, !yes, !dryRun { throw ValidationError("With --json nobody is asked: add --yes or --dry-run.") }
        for folder in folders { try TextChecks.check(folder, of: "A folder", takes: "the name of a folder") }
    }

    func perform(_ context: CommandContext) async throws -> MigrateResult {
        // Only prints a note: the assessment lists missing folders after reading the others.
        if !folders.isEmpty {
            _ = try FolderArguments.missing(of: folders, nothingDone: "Nothing was sent.", isJSON: common.json)
        }
        let assessment = try await assess(context)
        guard assessment.files > 0 || !assessment.failures.isEmpty else {
            let places = assessment.folders.map(ShellWord.quoted).joined(separator: ", ")
            throw CommandFailure(
                "There is no such photo in \(places). Is the disk mounted? Nothing was sent.", code: .folderUnusable
            )
        }
        let words = LibraryMigrationSummary(assessment)
        if dryRun { return MigrateResult(assessment: words, report: nil) }
        if !common.json { Terminal.writeNotice(words.text) }
        guard assessment.missingBytes == 0 else {
            throw CommandFailure(
                "\(ByteText.text(assessment.missingBytes)) do not fit into your account. Nothing was sent.",
                code: .outOfSpace, advice: ["Choose fewer photos, or one folder at a time."]
            )
        }
        if assessment.waitingFiles > 0, !yes { try await confirm() }
        let report = try await ProgressDisplay.watch(
            context.library.migrate(assessment), verb: "Sending", on: context.network)
        return MigrateResult(assessment: words, report: report)
    }

    /// Assesses the given folders; otherwise the last incomplete migration with its selection; otherwise all scanned
    /// folders.
    private func assess(_ context: CommandContext) async throws -> LibraryMigrationAssessment {
        var (chosen, filter) = (folders.map { URL(fileURLWithPath: $0) }, wanted.filter)
        if chosen.isEmpty, filter == PhotoFilter(), let begun = try await context.library.migrationStatus(),
            begun.completedAt == nil
        {
            // Folders that have been removed since then are no longer part of the migration.
            let known = try context.local.folders()
            let left = begun.folders.filter(known.contains)
            if !left.isEmpty {
                (chosen, filter) = (left.map { URL(fileURLWithPath: $0) }, begun.filter)
                Terminal.writeNotice(
                    "Going on with what was begun on \(DateText.minute(begun.startedAt)); name folders to begin anew.")
            }
        }
        if chosen.isEmpty { chosen = try context.local.folders().map { URL(fileURLWithPath: $0) } }
        guard !chosen.isEmpty else {
            throw CommandFailure(
                "Which folders? None was scanned on this device yet.", code: .folderUnusable,
                advice: ["photolala migrate FOLDER"]
            )
        }
        let assessment = context.library.assessMigration(of: chosen, where: filter)
        return try await ProgressDisplay.watch(assessment, verb: "Reading", on: context.network)
    }

    private func confirm() async throws {
        guard Confirmation.isPossible else {
            throw CommandFailure(
                "Nobody is there to be asked, so nothing was sent. To send them without asking, add --yes.",
                status: .wrongUsage
            )
        }
        guard await Confirmation.prompt("Send them now?") else {
            throw CommandFailure("Nothing was sent.", code: .cancelled, status: .interrupted)
        }
    }
}

/// The printed form of a migration assessment.
struct LibraryMigrationSummary: Codable, Sendable {
    let folders: [String]
    let files: Int
    let bytes: Int64
    let waitingFiles: Int
    let waitingBytes: Int64
    let deletedFiles: Int
    let bytesPerSecond: Double?
    let seconds: Double?
    let storageLimit: Int64
    let storageUsed: Int64
    let missingBytes: Int64
    let unusableFolders: [UnusableFolder]
    let failures: [FileFailure]

    init(_ assessment: LibraryMigrationAssessment) {
        (folders, files, bytes) = (assessment.folders, assessment.files, assessment.bytes)
        (waitingFiles, waitingBytes) = (assessment.waitingFiles, assessment.waitingBytes)
        deletedFiles = assessment.deletedFiles
        (bytesPerSecond, seconds) = (assessment.bytesPerSecond, assessment.seconds)
        (storageLimit, storageUsed) = (assessment.storageLimit, assessment.storageUsed)
        (missingBytes, failures) = (assessment.missingBytes, assessment.failures)
        unusableFolders = assessment.unusableFolders.map { UnusableFolder(folder: $0.path, reason: $0.reason) }
    }

    var text: String {
        var lines = folders.map { Terminal.sanitized($0) } + unusableFolders.map(\.text)
        lines.append(
            "\(Counted.files(files)) (\(ByteText.text(bytes))); \(waitingFiles) are not in your library yet "
                + "(\(ByteText.text(waitingBytes)) to send)."
        )
        if deletedFiles > 0 {
            lines.append(
                "\(Counted.files(deletedFiles)) more are left out: they were deleted from your library for good.")
        }
        if let seconds, let bytesPerSecond {
            lines.append(
                "At \(ByteText.text(Int64(bytesPerSecond)))/s that takes about \(TimeText.text(seconds: seconds)).")
        }
        let room = "Your account has \(ByteText.text(storageUsed)) of \(ByteText.text(storageLimit))."
        lines.append(missingBytes > 0 ? "\(room) \(ByteText.text(missingBytes)) do NOT fit." : "\(room) They fit.")
        if !failures.isEmpty {
            lines.append("\(Counted.files(failures.count)) could NOT be read:")
            lines += FailureLines.lines(failures)
        }
        return lines.joined(separator: "\n")
    }
}

/// The assessment and the result of a migration.
struct MigrateResult: CommandResult {
    let assessment: LibraryMigrationSummary
    /// The result; omitted for a dry run.
    let report: LibraryMigrationReport?

    var status: ExitStatus {
        if let stopped = report?.folders.lazy.compactMap(\.stopped).first { return ExitStatus(stopped.code) }
        guard assessment.failures.isEmpty, assessment.unusableFolders.isEmpty,
            report?.folders.allSatisfy(\.isComplete) ?? true
        else {
            return .someFilesFailed
        }
        return .done
    }

    var text: String {
        guard let report else { return assessment.text }
        var lines = BackupResult(folders: report.folders).text.split(separator: "\n").map(String.init)
        if report.completedAt != nil {
            lines.append("Your photos are in your account now, and still here. From now on:")
            lines += assessment.folders.map { "  photolala backup \(ShellWord.quoted(Terminal.sanitized($0)))" }
        } else {
            let isAllRead = assessment.failures.isEmpty && assessment.unusableFolders.isEmpty
            let unread = isAllRead ? "" : " Some could not be read (above)."
            lines.append("Not all are there yet.\(unread) Run the same command again to go on.")
        }
        return lines.joined(separator: "\n")
    }
}
