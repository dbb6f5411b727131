import ArgumentParser
import PhotolalaClient

struct RepairCatalogCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair-catalog", abstract: "Make a damaged catalog of your library readable again.",
        discussion: """
            Goes back to the newest catalog in the store of which all can be read, and adds what can be read of newer \
            ones. Nothing is deleted. Then back up your folders on each device: that adds what is still missing, \
            and photos that are stored already are not sent again.
            """
    )

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> RepairCatalogResult {
        RepairCatalogResult(repair: try await context.library.repairCatalog())
    }
}

/// The result of a catalog repair.
struct RepairCatalogResult: CommandResult {
    let repair: CatalogRepair

    func encode(to encoder: any Encoder) throws { try repair.encode(to: encoder) }

    var text: String {
        let library = "Your library has \(Counted.files(repair.libraryFiles))."
        guard repair.isRepaired else { return "The catalog is whole: nothing was changed. \(library)" }
        let from = repair.snapshotWrittenAt.map { "The catalog of \(DateText.minute($0)) is in force again." }
        let leftOut = repair.leftOutFiles.map { "  \(Terminal.sanitized($0))" }
        let lost = leftOut.isEmpty ? "" : "Left out, for they are not stored:\n\(leftOut.joined(separator: "\n"))\n"
        return """
            \(from ?? "No catalog is whole: a new one holds what can be read. The stored photos are all there.") \(library)
            \(lost)Next, on each device:  photolala backup FOLDER
            """
    }
}
