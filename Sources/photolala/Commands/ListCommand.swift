import ArgumentParser
import PhotolalaClient

struct ListCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the photos and videos of your library.",
        discussion: "All filters must match: photolala list 2023 --type video --larger 100MB --sort size"
    )

    @OptionGroup var wanted: FilterOptions

    @Option(help: "Sort by path, date or size, ascending.")
    var sort = PhotoOrder.path

    @Flag(help: "Sort in descending order.")
    var reverse = false

    @Option(help: ArgumentHelp("Maximum number of photos to list.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print only the number of photos and their total size.")
    var count = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func perform(_ context: CommandContext) async throws -> ListResult {
        let photos = try await context.library.photos(where: wanted.filter)
        return ListResult(
            totals: PhotoTotals(photos),
            photos: count ? nil : photos.ordered(by: sort, reversed: reverse).prefix(limit ?? photos.count)
        )
    }
}

/// The matching photos of the library.
struct ListResult: CommandOutcome {
    /// The totals of all matching photos.
    let totals: PhotoTotals
    /// The photos to print; `nil` if only the totals are printed.
    let photos: Slice<LibraryPhotos>?

    func write(asJSON: Bool) throws {
        guard let photos else { return try totals.write(asJSON: asJSON) }
        if asJSON { return try PhotoListing.writeJSON(photos, totals: totals) }
        if photos.isEmpty { Terminal.writeNotice("No matching photos.") }
        try PhotoListing.write(photos)
    }
}
