import ArgumentParser
import PhotolalaClient

struct ListCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the photos and videos of your library.",
        discussion: "All filters must match: photolala list 2023 --type video --larger 100MB --sort size"
    )

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var listing: ListingOptions

    @OptionGroup var connection: OfflineOption

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> ListResult {
        let photos = try await connection.reading(context) {
            try await context.library.photos(where: wanted.filter, offline: connection.offline)
        }
        return listing.result(of: photos)
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
