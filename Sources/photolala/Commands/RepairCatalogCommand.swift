import ArgumentParser
import PhotolalaClient

struct RepairCatalogCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair-catalog", abstract: "Make a damaged catalog of your library readable again.",
        discussion: """
            Goes back to the newest catalog in the store that can be read, and begins a new one when none can. Nothing \
            is deleted. Then back up your folders on each device: that adds what the older catalog does not have, \
            and photos that are stored already are not sent again.
            """
    )

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> RepairCatalogResult {
        RepairCatalogResult(repair: try await context.library.repairCatalog())
    }
}

/// What a repair of the catalog found and did.
struct RepairCatalogResult: CommandResult {
    let repair: CatalogRepair

    func encode(to encoder: any Encoder) throws { try repair.encode(to: encoder) }

    var text: String {
        let library = "Your library has \(Counted.files(repair.libraryFiles))."
        guard repair.isRepaired else { return "The catalog is whole: nothing was changed. \(library)" }
        let from = repair.snapshotWrittenAt.map { "The catalog of \(DateText.minute($0)) is in force again." }
        return """
            \(from ?? "No catalog could be read: a new one was begun. The stored photos are all there.") \(library)
            Next, on each device:  photolala backup FOLDER
            """
    }
}
