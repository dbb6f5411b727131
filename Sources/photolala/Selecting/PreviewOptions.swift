import ArgumentParser
import PhotolalaClient

/// The previews that a command creates together with thumbnails.
struct PreviewOptions: ParsableArguments {
    @Flag(name: .customLong("no-previews"), help: "Create no previews (2,048 pixels), only thumbnails.")
    var hasNoPreviews = false

    @OptionGroup var quality: PreviewQualityOption

    var choice: PreviewChoice { hasNoPreviews ? .none : .jpeg(quality: quality.value) }
}

/// The JPEG quality of previews.
struct PreviewQualityOption: ParsableArguments {
    @Option(
        name: .customLong("preview-quality"), parsing: .unconditional,
        help: ArgumentHelp("JPEG quality of previews, 1 to 100.", valueName: "n"))
    var value = 80

    func validate() throws {
        guard (1...100).contains(value) else { throw ValidationError("--preview-quality must be 1 to 100.") }
    }
}
