import ArgumentParser
import PhotolalaClient

/// The options that select photos by what their owner decided about them.
struct CollectionOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Only favorites, or only photos that are not favorites.")
    var favorites: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Only hidden photos, which the portal's Archive shows, or only photos that are not hidden.")
    var hidden: Bool?

    @Option(help: ArgumentHelp("Photos of the album with this name, ignoring case, or this ID.", valueName: "album"))
    var album: String?

    func validate() throws { try TextChecks.check(album, of: "--album", expects: "a name or ID") }

    func apply(to filter: inout PhotoFilter) {
        filter.isFavorite = favorites
        filter.isHidden = hidden
        filter.album = album
    }
}
