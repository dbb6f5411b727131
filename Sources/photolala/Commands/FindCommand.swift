import ArgumentParser
import PhotolalaClient

struct FindCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find photos and videos of your library by words, cameras, places and dates.",
        discussion: """
            Each word must occur in the names of the folders, of the file or of the camera, name the city, region or \
            country in which the photo was taken, or be its date or kind, and all filters must match:

            photolala find italy beach --type video
            photolala find 2024-05 munich
            photolala find 17 may 2024
            """
    )

    @Argument(
        help: ArgumentHelp(
            """
            Part of the path or the camera, a place, or a date: 2024, 2024-05, may; with * or ?, a pattern for the \
            whole path. Ignores case.
            """,
            valueName: "word"))
    var words: [String]

    @OptionGroup var traits: TraitOptions

    @OptionGroup var collections: CollectionOptions

    @OptionGroup var listing: ListingOptions

    @OptionGroup var connection: OfflineOption

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let expected = "a part of a path, a camera, a place or a date"
        for word in words { try TextChecks.check(word, of: "WORD", expects: expected) }
    }

    func perform(_ context: CommandContext) async throws -> ListResult {
        var filter = traits.filter
        filter.words = words
        collections.apply(to: &filter)
        let photos = try await connection.reading(context) {
            try await context.library.photos(where: filter, offline: connection.offline)
        }
        return listing.result(of: photos)
    }
}
