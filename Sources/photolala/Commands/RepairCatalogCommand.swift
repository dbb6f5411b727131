import ArgumentParser
import PhotolalaClient

struct RepairCatalogCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair-catalog", abstract: "Repair a damaged catalog.",
        discussion: """
            Reverts to the newest readable catalog and adds the readable entries of newer ones. Deletes nothing. \
            Afterwards, run a backup on each device to add missing entries; photos that are already stored are not \
            uploaded again.
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
        let library = "Library: \(Counted.files(repair.libraryFiles))."
        guard repair.isRepaired else { return "The catalog is not damaged. Nothing was changed. \(library)" }
        let from = repair.snapshotWrittenAt.map { "Reverted to the catalog of \(DateText.minute($0))." }
        let leftOut = repair.leftOutFiles.map { "  \(Terminal.sanitized($0))" }
        let lost = leftOut.isEmpty ? "" : "Omitted, not in the photo store:\n\(leftOut.joined(separator: "\n"))\n"
        return """
            \(from ?? "No intact catalog found. Created a new one from the readable entries; stored photos are not affected.") \(library)
            \(lost)Next, on each device:  photolala backup FOLDER
            """
    }
}
