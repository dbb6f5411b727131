import ArgumentParser
import PhotolalaClient

/// The options of the commands that list the favorites or the hidden photos. `list` has more filters.
struct MarkedPhotosOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Photos and folders, by library path. Folders include subfolders.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var listing: ListingOptions

    @OptionGroup var connection: OfflineOption

    func validate() throws {
        for path in paths { try TextChecks.check(path, of: "PATH", expects: "a photo or folder") }
    }

    /// Returns the photos that also have a mark.
    func result(_ context: CommandContext, where mark: (inout PhotoFilter) -> Void) async throws -> ListResult {
        var filter = PhotoFilter()
        filter.paths = paths
        mark(&filter)
        let wanted = filter
        let photos = try await connection.reading(context) {
            try await context.library.photos(where: wanted, offline: connection.offline)
        }
        return listing.result(of: photos)
    }
}
