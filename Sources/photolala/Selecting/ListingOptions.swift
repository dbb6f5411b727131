import ArgumentParser
import PhotolalaClient

/// Options for the order and number of listed photos.
struct ListingOptions: ParsableArguments {
    @Option(help: "Sort by path, date or size, ascending.")
    var sort = PhotoOrder.path

    @Flag(help: "Sort in descending order.")
    var reverse = false

    @Option(help: ArgumentHelp("Maximum number of photos to list.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print only the number of photos and their total size.")
    var count = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func result(of photos: LibraryPhotos) -> ListResult {
        ListResult(
            totals: PhotoTotals(photos),
            photos: count ? nil : photos.ordered(by: sort, reversed: reverse).prefix(limit ?? photos.count))
    }
}
