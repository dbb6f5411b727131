import ArgumentParser
import PhotolalaClient

/// Options that select photos by their properties.
struct TraitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Taken on or after this day, month or year: 2024-05-31, 2024-05, 2024. Compared with the local capture time, or the modification time in UTC if that is unknown.",
            valueName: "date"
        ))
    var since: DateOption?

    @Option(help: ArgumentHelp("Taken on or before this day, month or year.", valueName: "date"))
    var until: DateOption?

    @Option(
        help: ArgumentHelp(
            "photo, video, raw, sidecar, an extension such as jpg, or a media type such as image/jpeg. Repeatable.",
            valueName: "kind"
        ))
    var type: [PhotoKind] = []

    @Option(
        help: ArgumentHelp(
            "Part of the file name, or a pattern with * and ? for the whole name. Ignores case.", valueName: "pattern"
        ))
    var name: String?

    @Option(help: ArgumentHelp("Minimum size: 500kB, 1.5MB, 2GiB.", valueName: "size"))
    var larger: SizeOption?

    @Option(help: ArgumentHelp("Maximum size.", valueName: "size"))
    var smaller: SizeOption?

    var filter: PhotoFilter {
        var filter = PhotoFilter()
        filter.from = since?.start
        filter.before = until?.end
        filter.kinds = type
        filter.name = name
        filter.smallest = larger?.bytes
        filter.largest = smaller?.bytes
        return filter
    }

    func validate() throws {
        try TextChecks.check(name, of: "--name", expects: "a name or pattern")
        if let since, let until, since.start >= until.end {
            throw ValidationError("--since is later than --until.")
        }
        if let larger, let smaller, larger.bytes > smaller.bytes {
            throw ValidationError("--larger exceeds --smaller.")
        }
    }
}
