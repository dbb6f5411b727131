import ArgumentParser
import PhotolalaClient

/// The argument for one photo of the library.
struct PhotoArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Photo or video of the library.", valueName: "path"))
    var path: String

    func validate() throws { try TextChecks.check(path, of: "PATH", expects: "a photo") }

    /// Finds the photo in the library.
    func photo(in context: CommandContext, _ connection: OfflineOption) async throws -> LibraryPhoto {
        var filter = PhotoFilter()
        filter.paths = [path]
        let wanted = filter
        let found = try await connection.reading(context) {
            try await context.library.photos(where: wanted, offline: connection.offline)
        }
        guard found.count == 1, let photo = found.first, photo.path == path else {
            throw CommandFailure(
                "\(path) is a folder.",
                advice: ["List its photos:  \(SuggestedCommand.text("photolala list ?", path))"], status: .wrongUsage)
        }
        return photo
    }
}
