import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct MigrateCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Upload the photos on this device to your account, with an estimate first.",
        discussion: """
            Scans the folders, shows the number of photos to upload, the estimated time and whether they fit into your \
            storage, and asks for confirmation. Photos on this device are kept. An interrupted migration resumes when you \
            run it again.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Folders to upload. Default: those of the unfinished migration, or those of `photolala local scan FOLDER`.",
            valueName: "folder"
        ), completion: .directory)
    var folders: [String] = []

    @OptionGroup var wanted: TraitOptions

    @OptionGroup var confirmation: ConfirmationOption

    @Flag(name: [.long, .customShort("n")], help: "Only show the estimate.")
    var dryRun = false

    @OptionGroup var files: FileTransferOptions

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String {
        "Uploaded files are kept. Run the same command again to resume."
    }

    func validate() throws {
        if common.json, !confirmation.yes, !dryRun { throw ValidationError("--json requires --yes or --dry-run.") }
        for folder in folders { try TextChecks.check(folder, of: "FOLDER", expects: "a folder") }
    }

    func perform(_ context: CommandContext) async throws -> MigrateResult {
        // Only prints a note: the assessment lists missing folders after reading the others.
        if !folders.isEmpty {
            _ = try FolderArguments.missing(of: folders, nothingDone: "Nothing was uploaded.", isJSON: common.json)
        }
        let assessment = try await assess(context)
        guard assessment.files > 0 || !assessment.failures.isEmpty else {
            let folders = assessment.folders.map(ShellWord.quoted).joined(separator: ", ")
            throw CommandFailure(
                "No matching photos in \(folders). Check that the disk is mounted. Nothing was uploaded.",
                code: .folderUnusable
            )
        }
        let summary = LibraryMigrationSummary(assessment)
        if dryRun { return MigrateResult(assessment: summary, report: nil) }
        if !common.json { Terminal.writeNotice(summary.text) }
        guard assessment.missingBytes == 0 else {
            throw CommandFailure(
                "Not enough storage: \(ByteText.text(assessment.missingBytes)) over quota. Nothing was uploaded.",
                code: .outOfSpace, advice: ["Select fewer photos or folders, or upgrade your plan."]
            )
        }
        if assessment.waitingFiles > 0, !confirmation.yes { try await confirm() }
        let report = try await ProgressDisplay.watch(
            files.applied(to: context.library).migrate(assessment), verb: "Uploading", in: context)
        return MigrateResult(assessment: summary, report: report)
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
                    "Resuming the migration of \(DateText.minute(begun.startedAt)). To start a new one, give folders.")
            }
        }
        if chosen.isEmpty { chosen = try context.local.folders().map { URL(fileURLWithPath: $0) } }
        guard !chosen.isEmpty else {
            throw CommandFailure(
                "No folders given, and none scanned on this device.", code: .folderUnusable,
                advice: ["Give a folder:  photolala migrate FOLDER"]
            )
        }
        let assessment = context.library.assessMigration(of: chosen, where: filter)
        return try await ProgressDisplay.watch(assessment, verb: "Scanning", in: context)
    }

    private func confirm() async throws {
        try confirmation.requireAnswer("Nothing was uploaded.")
        guard await Confirmation.prompt("Upload now?") else {
            throw CommandFailure("Not confirmed. Nothing was uploaded.", code: .cancelled, status: .failed)
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
        unusableFolders = assessment.unusableFolders.map {
            UnusableFolder(folder: $0.path, code: $0.code, reason: $0.reason)
        }
    }

    var text: String {
        var lines = folders.map { Terminal.sanitized($0) } + unusableFolders.map(\.text)
        lines.append(
            "\(Counted.files(files)) (\(ByteText.text(bytes))), \(waitingFiles) to upload "
                + "(\(ByteText.text(waitingBytes)))."
        )
        if deletedFiles > 0 {
            lines.append(
                "Skipping \(Counted.files(deletedFiles)) permanently deleted from your library.")
        }
        if let seconds, let bytesPerSecond {
            lines.append(
                "Estimated time: \(TimeText.text(seconds: seconds)) at \(ByteText.text(Int64(bytesPerSecond)))/s.")
        }
        let used = "Storage: \(ByteText.text(storageUsed)) of \(ByteText.text(storageLimit)) used"
        lines.append(
            missingBytes > 0
                ? "\(used); not enough space (\(ByteText.text(missingBytes)) over quota)." : "\(used); enough space.")
        if !failures.isEmpty {
            lines.append("Failed to read \(Counted.files(failures.count)):")
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
            lines.append("Migration complete. The photos on this device were kept. To back up new photos:")
            lines += assessment.folders.map { "  \(SuggestedCommand.text("photolala backup ?", $0))" }
        } else {
            let isAllRead = assessment.failures.isEmpty && assessment.unusableFolders.isEmpty
            let unread = isAllRead ? "" : " Some files could not be read."
            lines.append("Migration incomplete.\(unread) Run the same command again to resume.")
        }
        return lines.joined(separator: "\n")
    }
}
