import ArgumentParser
import PhotolalaClient

/// Options that select photos. Unset options match everything; set options must all match.
struct FilterOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Photos and folders, by library path. Folders include subfolders.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var traits: TraitOptions

    @OptionGroup var collections: CollectionOptions

    var filter: PhotoFilter {
        var filter = traits.filter
        filter.paths = paths
        collections.apply(to: &filter)
        return filter
    }

    /// Whether any option is set.
    var isSpecified: Bool { filter != PhotoFilter() }

    func validate() throws {
        for path in paths { try TextChecks.check(path, of: "PATH", expects: "a photo or folder") }
    }
}

extension PhotoKind: ExpressibleByArgument {}

extension PhotoOrder: ExpressibleByArgument {}
