import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct LocalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "local", abstract: "Manage photos on this device without an account.",
        subcommands: [ScanLocalCommand.self, ListLocalCommand.self, ForgetLocalCommand.self]
    )
}

struct ScanLocalCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Scan folders for photos, their dates and duplicates.",
        discussion: "Never changes the folders. Later scans read only new and changed files."
    )

    @Argument(help: ArgumentHelp("Folders to scan, including subfolders.", valueName: "folder"), completion: .directory)
    var folders: [String]

    @OptionGroup var common: CommonOptions

    var interruptedAdvice: String { "Scanned files are kept. Run the same command again to resume." }

    func validate() throws {
        for folder in folders { try TextChecks.check(folder, of: "FOLDER", expects: "a folder") }
    }

    func perform(_ context: CommandContext) async throws -> LocalScanResult {
        var unusable = try FolderArguments.missing(
            of: folders, nothingDone: "Nothing was scanned.", isJSON: common.json)
        var reports: [LocalScanReport] = []
        for folder in folders where !unusable.contains(where: { $0.folder == folder }) {
            let scan = context.local.scan(URL(fileURLWithPath: folder))
            do throws(PhotolalaError) {
                reports.append(try await ProgressDisplay.watch(scan, verb: "Scanning", in: context))
            } catch {
                guard error.code == .folderUnusable, folders.count > 1 else { throw error }
                unusable.append(UnusableFolder(folder: folder, error))
            }
        }
        let isSignedIn = (try? await context.session.signedInUserID()) != nil
        return LocalScanResult(folders: reports, unusableFolders: unusable, isSignedIn: isSignedIn)
    }
}

struct ListLocalCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the photos and videos of scanned folders."
    )

    @OptionGroup var wanted: TraitOptions
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> LocalListResult {
        LocalListResult(folders: try context.local.photos(where: wanted.filter))
    }
}

struct ForgetLocalCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Delete the scan results of a folder. The folder is not changed."
    )

    @Argument(help: ArgumentHelp("Scanned folder.", valueName: "folder"), completion: .directory)
    var folder: String

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextChecks.check(folder, of: "FOLDER", expects: "a folder")
    }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        guard try context.local.forget(URL(fileURLWithPath: folder)) else {
            throw CommandFailure(
                "Folder not scanned: \(folder).", code: .notFound,
                advice: ["List scanned folders:  photolala local list"]
            )
        }
        return DoneResult(summary: "Scan results deleted. The photos were not changed.")
    }
}

/// The result of a scan, per folder.
struct LocalScanResult: CommandResult {
    let folders: [LocalScanReport]
    /// Given folders that could not be read at all.
    var unusableFolders: [UnusableFolder] = []
    /// Whether an account is signed in on this device.
    var isSignedIn = false

    private enum CodingKeys: CodingKey { case folders, unusableFolders }

    var status: ExitStatus {
        unusableFolders.isEmpty && folders.allSatisfy(\.failures.isEmpty) ? .done : .someFilesFailed
    }

    var text: String {
        let next =
            isSignedIn
            ? "To back them up to your account:  photolala migrate"
            : "To back them up to an account:  photolala signup, then  photolala migrate"
        return (folders.flatMap(lines) + unusableFolders.map(\.text) + [next]).joined(separator: "\n")
    }

    private func lines(_ report: LocalScanReport) -> [String] {
        var lines = [
            "\(Terminal.sanitized(report.folder)): \(Counted.photos(report.photos)), "
                + "\(Counted.text(report.videos, "video")) "
                + "(\(ByteText.text(report.bytes)) including sidecars); \(report.readFiles) read in this scan."
        ]
        if let first = report.firstDate, let last = report.lastDate {
            lines.append("Dates: \(first.prefix(10)) to \(last.prefix(10)).")
        }
        if !report.duplicates.isEmpty {
            let copies = report.duplicates.reduce(0) { $0 + $1.count - 1 }
            lines.append("Duplicates: \(Counted.files(copies)) (\(ByteText.text(report.duplicateBytes))).")
        }
        lines += FailureLines.lines(report.sameNames)
        lines += FailureLines.leftOut(report.leftOut)
        if !report.failures.isEmpty {
            lines.append("Failed to read \(Counted.files(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        return lines
    }
}

/// The photos that are recorded on this device, per folder.
struct LocalListResult: CommandResult {
    let folders: [LocalFolderPhotos]

    private enum CodingKeys: CodingKey { case folders }
    private enum FolderKeys: CodingKey { case folder, photos }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        var list = members.nestedUnkeyedContainer(forKey: .folders)
        for folder in folders {
            var each = list.nestedContainer(keyedBy: FolderKeys.self)
            try each.encode(folder.folder, forKey: .folder)
            try each.encode(Array(folder.photos), forKey: .photos)
        }
    }

    var text: String {
        guard !folders.isEmpty else { return "No folders scanned. Scan one:  photolala local scan FOLDER" }
        return folders.flatMap { folder in
            ["\(Terminal.sanitized(folder.folder)):"] + folder.photos.map(PhotoLine.text)
        }.joined(separator: "\n")
    }
}
