import ArgumentParser
import PhotolalaClient

/// Which photos a command means. What is left out is not asked about; what is given must all hold.
struct FilterOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Photos of the library, and folders with all in them.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var traits: TraitOptions

    var filter: PhotoFilter {
        var filter = traits.filter
        filter.paths = paths
        return filter
    }

    /// Whether anything is given.
    var isGiven: Bool { filter != PhotoFilter() }

    func validate() throws {
        for path in paths { try Texts.check(path, of: "A path", takes: "the name of a photo or folder") }
    }
}

extension PhotoKind: ExpressibleByArgument {}

extension PhotoOrder: ExpressibleByArgument {}
