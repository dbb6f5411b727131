import ArgumentParser
import Foundation
import PhotolalaClient

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "Put photos into the trash, show what is there, take them out, delete them.",
        discussion: "Without put, restore or purge it shows what is in the trash and changes nothing.",
        subcommands: [
            ListTrashCommand.self, PutIntoTrashCommand.self, RestoreFromTrashCommand.self, PurgeTrashCommand.self,
        ],
        defaultSubcommand: ListTrashCommand.self
    )
}

struct ListTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show what is in the trash, and for how long."
    )

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> TrashListResult {
        TrashListResult(photos: try await context.library.photosInTrash(where: wanted.filter), now: Date())
    }
}

/// The photos in the trash.
struct TrashListResult: CommandOutcome {
    let photos: LibraryPhotos
    let now: Date

    func write(asJSON: Bool) throws {
        if asJSON { return try PhotoListing.writeJSON(photos, totals: PhotoTotals(photos)) }
        if photos.isEmpty { Terminal.writeNotice("Nothing is in the trash.") }
        try PhotoListing.write(photos) { TrashStrings.remainingTime(of: $0, at: now).map { "\t\($0)" } ?? "" }
    }
}

struct PutIntoTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Put photos into the trash, with what belongs to them.",
        discussion: """
            They stay stored and count for your storage until `photolala trash purge` deletes them for good, after 30 \
            days, or earlier with --include-recent. A later backup of a folder that still has them leaves them in the trash.
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Flag(help: "Do not ask first.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard wanted.isSpecified else {
            throw ValidationError("Which photos? Give paths of the library, or options like --until and --name.")
        }
    }

    func perform(_ context: CommandContext) async throws -> TrashResult {
        guard yes || Confirmation.isPossible else {
            throw CommandFailure(
                "Nobody is there to be asked, so nothing was put into the trash. To do it without asking, add --yes.",
                status: .wrongUsage
            )
        }
        let isSure = yes
        let report = try await context.library.moveToTrash(where: wanted.filter) { report in
            if isSure { return true }
            return await Confirmation.prompt("Put \(TrashStrings.files(report)) into the trash?")
        }
        return TrashResult(report: report, action: .put)
    }
}

struct RestoreFromTrashCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Take photos out of the trash, with what belongs to them.",
        discussion: """
            They are in your library again; `photolala restore --to FOLDER` brings them to a folder. Of several versions of \
            one path the one that went to the trash last is taken out; `photolala trash list PATH` shows all with their \
            ids, and --id takes another one.
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("Of several versions the one with this id; may be given several times.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "All versions of what is meant.")
    var allVersions = false

    @Flag(help: "All that is in the trash, in all versions.")
    var all = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard wanted.isSpecified != all else {
            throw ValidationError("Which photos? Give their paths in the trash or options like --name, or --all.")
        }
        guard ids.allSatisfy(TrashVersionChoice.isID) else {
            throw ValidationError("--id takes 4 to 32 hexadecimal digits, as trash list shows them.")
        }
        if !ids.isEmpty, all || allVersions { throw ValidationError("--id, --all-versions or --all: one of them.") }
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

    var status: ExitStatus { report.gone.isEmpty ? .done : .someFilesFailed }

    var text: String {
        guard report.files > 0 || !report.gone.isEmpty else { return "No photo is meant by this. Nothing was changed." }
        guard report.isDone else { return "Nothing was changed." }
        switch action {
        case .put:
            return """
                \(TrashStrings.files(report)) put into the trash. What is there:  photolala trash list
                Devices that have the files keep them, and their backups leave the trash as it is.
                """
        case .restored:
            let line =
                "\(TrashStrings.files(report)) taken out of the trash. To bring them:  photolala restore --to FOLDER"
            let gone = report.gone.map { "\(Terminal.sanitized($0)) is not stored any more and stays in the trash." }
            let others = report.otherVersions > 0 ? [otherVersions] : []
            return ([line] + FailureLines.lines(report.keptBeside) + gone + others).joined(separator: "\n")
        }
    }

    private var otherVersions: String {
        let count = report.otherVersions
        return "\(count == 1 ? "1 earlier version stays" : "\(count) earlier versions stay") in the trash. To see "
            + "\(count == 1 ? "it" : "them"):  photolala trash list PATH. To take one out:  photolala trash restore PATH --id ID"
    }
}
