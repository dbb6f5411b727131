import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct LocalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "local", abstract: "Photos in folders of this device, without an account.",
        subcommands: [ScanLocalCommand.self, ListLocalCommand.self, ForgetLocalCommand.self]
    )
}

struct ScanLocalCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Look through folders: what is in them, from when, and what is there twice.",
        discussion: "Nothing in them is changed. Run again it reads only what is new."
    )

    @Argument(help: ArgumentHelp("The folders, with all folders in them.", valueName: "folder"))
    var folders: [String]

    @OptionGroup var common: CommonOptions

    var interruptedAdvice: String { "What was read is remembered. Run the same command again to go on." }

    func validate() throws {
        for folder in folders { try TextChecks.check(folder, of: "A folder", takes: "the name of a folder") }
    }

    func perform(_ context: CommandContext) async throws -> LocalScanResult {
        var unusable = try FolderArguments.missing(of: folders, nothingDone: "Nothing was read.", isJSON: common.json)
        var reports: [LocalScanReport] = []
        for folder in folders where !unusable.contains(where: { $0.folder == folder }) {
            let scan = context.local.scan(URL(fileURLWithPath: folder))
            do throws(PhotolalaError) {
                reports.append(try await ProgressDisplay.watch(scan, verb: "Reading", on: context.network))
            } catch {
                guard error.code == .folderUnusable, folders.count > 1 else { throw error }
                unusable.append(UnusableFolder(folder: folder, reason: error.detail))
            }
        }
        return LocalScanResult(folders: reports, unusableFolders: unusable)
    }
}

struct ListLocalCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the photos and videos of the folders that were scanned."
    )

    @OptionGroup var wanted: TraitOptions
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> LocalListResult {
        LocalListResult(folders: try context.local.photos(where: wanted.filter))
    }
}

struct ForgetLocalCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget what is known of a folder. Nothing in it is touched."
    )

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"))
    var folder: String

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextChecks.check(folder, of: "The folder", takes: "the name of a folder")
    }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        guard try context.local.forget(URL(fileURLWithPath: folder)) else {
            throw CommandFailure(
                "\(folder) was never scanned.", code: .notFound, advice: ["These were:  photolala local list"]
            )
        }
        return DoneResult(summary: "Forgotten. The photos are where they were.")
    }
}

/// The result of a scan, per folder.
struct LocalScanResult: CommandResult {
    let folders: [LocalScanReport]
    /// Given folders that could not be read at all.
    var unusableFolders: [UnusableFolder] = []

    var status: ExitStatus {
        unusableFolders.isEmpty && folders.allSatisfy(\.failures.isEmpty) ? .done : .someFilesFailed
    }

    var text: String {
        let next = "To keep them safe under an account:  photolala signup, then  photolala migrate"
        return (folders.flatMap(lines) + unusableFolders.map(\.text) + [next]).joined(separator: "\n")
    }

    private func lines(_ report: LocalScanReport) -> [String] {
        var lines = [
            "\(Terminal.sanitized(report.folder)): \(report.photos) photos and \(report.videos) videos "
                + "(\(ByteText.text(report.bytes)) with their sidecars), \(report.readFiles) read now."
        ]
        if let first = report.firstDate, let last = report.lastDate {
            lines.append("From \(first.prefix(10)) to \(last.prefix(10)).")
        }
        if !report.duplicates.isEmpty {
            let copies = report.duplicates.reduce(0) { $0 + $1.count - 1 }
            lines.append("\(copies) are copies of others (\(ByteText.text(report.duplicateBytes))).")
        }
        lines += FailureLines.lines(report.sameNames)
        lines += FailureLines.leftOut(report.leftOut)
        if !report.failures.isEmpty {
            lines.append("\(Counted.files(report.failures.count)) could NOT be read:")
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
        guard !folders.isEmpty else { return "No folder was scanned yet:  photolala local scan FOLDER" }
        return folders.flatMap { folder in
            ["\(Terminal.sanitized(folder.folder)):"] + folder.photos.map(PhotoLine.text)
        }.joined(separator: "\n")
    }
}
