import ArgumentParser
import PhotolalaClient

/// Options that select photos by their properties.
struct TraitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "From this day, month or year on: 2024-05-31, 2024-05, 2024. By clocks where it was taken or, unknown, by when it was last changed; UTC.",
            valueName: "date"
        ))
    var since: DateOption?

    @Option(help: ArgumentHelp("Up to the end of this day, month or year.", valueName: "date"))
    var until: DateOption?

    @Option(
        help: ArgumentHelp(
            "photo, video, raw, sidecar, an ending like jpg, or a media type like image/jpeg. Several: any of them.",
            valueName: "kind"
        ))
    var type: [PhotoKind] = []

    @Option(
        help: ArgumentHelp(
            "A part of the file's name or, with * and ?, all of it; regardless of case.", valueName: "pattern"
        ))
    var name: String?

    @Option(help: ArgumentHelp("At least so large: 500kB, 1.5MB, 2GiB.", valueName: "size"))
    var larger: SizeOption?

    @Option(help: ArgumentHelp("At most so large.", valueName: "size"))
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
        try TextChecks.check(name, of: "--name", takes: "a part of a name, or a pattern")
        if let since, let until, since.start >= until.end {
            throw ValidationError("--since is later than --until: no photo is meant.")
        }
        if let larger, let smaller, larger.bytes > smaller.bytes {
            throw ValidationError("--larger is more than --smaller: no photo is meant.")
        }
    }
}
