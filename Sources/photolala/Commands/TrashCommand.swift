import ArgumentParser
import Foundation
import PhotolalaClient

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "Move photos to the trash, list, restore or permanently delete them.",
        discussion: "Without a subcommand, lists the trash.",
        subcommands: [
            ListTrashCommand.self, PutIntoTrashCommand.self, RestoreFromTrashCommand.self, PurgeTrashCommand.self,
        ],
        defaultSubcommand: ListTrashCommand.self
    )
}

struct ListTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "List the photos in the trash with their ID, the device that moved them there, and their remaining days."
    )

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> TrashListResult {
        TrashListResult(
            photos: try await context.library.photosInTrash(where: wanted.filter), isFiltered: wanted.isSpecified,
            now: Date())
    }
}

/// The photos in the trash.
struct TrashListResult: CommandOutcome {
    let photos: LibraryPhotos
    let isFiltered: Bool
    let now: Date

    func write(asJSON: Bool) throws {
        if asJSON { return try PhotoListing.writeJSON(photos, totals: PhotoTotals(photos)) }
        if photos.isEmpty {
            Terminal.writeNotice(isFiltered ? "No matching photos in the trash." : "The trash is empty.")
        }
        try PhotoListing.write(photos) { TrashStrings.remainingTime(of: $0, at: now).map { "\t\($0)" } ?? "" }
    }
}

struct PutIntoTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Move photos and their companions to the trash.",
        discussion: """
            Photos in the trash count towards your storage until `photolala trash purge` deletes them permanently, after \
            30 days, or earlier with --now. `photolala undo` restores them. Backups of folders that still have them leave \
            them in the trash; a sync moves their files to .photolala-trash in the synced folder.
            """
    )

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var confirmation: ConfirmationOption

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> TrashResult {
        try confirmation.requireAnswer("Nothing was moved.")
        let isSure = confirmation.yes
        let report = try await context.library.moveToTrash(where: wanted.filter) { report in
            if isSure { return true }
            return await Confirmation.prompt("Move \(TrashStrings.files(report)) to the trash?")
        }
        return TrashResult(report: report, action: .put)
    }
}

struct RestoreFromTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore photos and their companions from the trash.",
        discussion: """
            Moves photos back to your library; `photolala restore --to FOLDER` downloads them. Of several versions of a \
            path, restores the one trashed last; `photolala trash list PATH` shows all versions with their IDs, and --id \
            selects others.
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("Restore the version with this ID. Repeatable.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Restore all versions of the selected photos.")
    var allVersions = false

    @Flag(help: "Restore everything in the trash, in all versions.")
    var all = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if !all { try VersionIDs.check(ids, of: wanted, "photolala trash restore PATH --id ID") }
        guard wanted.isSpecified != all else {
            throw ValidationError("Give either paths in the trash and filters such as --name, or --all.")
        }
        if !ids.isEmpty, all || allVersions {
            throw ValidationError("--id, --all-versions and --all cannot be used together.")
        }
    }

    var versions: TrashVersionChoice {
        if all || allVersions { return .all }
        return ids.isEmpty ? .latest : .ids(ids)
    }

    func perform(_ context: CommandContext) async throws -> TrashResult {
        TrashResult(
            report: try await context.library.restoreFromTrash(where: wanted.filter, versions: versions),
            action: .restored)
    }
}

/// The result of moving photos to or from the trash.
struct TrashResult: CommandResult {
    enum Action {
        case put, restored
    }

    let report: TrashReport
    let action: Action

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if report.files > 0, !report.isDone { return .failed }
        return report.missing.isEmpty ? .done : .someFilesFailed
    }

    var text: String {
        guard report.files > 0 || !report.missing.isEmpty else {
            return action == .put
                ? "No matching photos. Nothing was changed." : "No matching photos in the trash. Nothing was changed."
        }
        guard report.isDone else { return "Nothing was changed." }
        switch action {
        case .put:
            return """
                Moved \(TrashStrings.files(report)) to the trash. \(undo)
                Backups do not upload these photos again. A sync moves local copies to .photolala-trash in the synced folder.
                """
        case .restored:
            let line =
                "Restored \(TrashStrings.files(report)) from the trash. To download:  photolala restore --to FOLDER PATH"
            let missing = report.missing.map {
                "\(Terminal.sanitized($0)) is not in the photo store; kept in the trash."
            }
            let others = report.otherVersions > 0 ? [otherVersions] : []
            let undone = report.files > 0 ? [undo] : []
            return ([line] + undone + FailureLines.lines(report.keptBeside) + missing + others).joined(separator: "\n")
        }
    }

    private var undo: String {
        report.isUndoable
            ? "To undo:  photolala undo" : "This device could not record the change for `photolala undo`."
    }

    private var otherVersions: String {
        let count = report.otherVersions
        return
            "\(count == 1 ? "1 earlier version" : "\(count) earlier versions") kept in the trash. To list all versions:  "
            + "photolala versions PATH"
    }
}
