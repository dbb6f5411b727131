import ArgumentParser
import Foundation
import PhotolalaClient

struct ThumbnailCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail", abstract: "Write the thumbnail or preview of a photo or video as a JPEG.",
        discussion: "Writes to standard output, or to a file:  photolala thumbnail PATH --output thumbnail.jpg"
    )

    @OptionGroup var wanted: PhotoArgument

    @Flag(help: "The preview of up to 2,048 pixels instead of the thumbnail, mostly of 512.")
    var preview = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("File to write. Existing files are not overwritten.", valueName: "file"))
    var output: String?

    @OptionGroup var connection: OfflineOption

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextChecks.check(output, of: "--output", expects: "a file")
        if common.json, output == nil { throw ValidationError("--json requires --output.") }
        if output == nil, Terminal.isOutputInteractive {
            throw ValidationError("The output is a JPEG. Give a file with --output, or redirect it.")
        }
    }

    func perform(_ context: CommandContext) async throws -> ThumbnailResult {
        let library = try await context.viewingLibrary()
        let photo = try await wanted.photo(in: context, connection)
        let offline = connection.offline
        guard let bytes = try await read(photo, in: library, offline: offline) else {
            let (open, create) = (
                SuggestedCommand.text("photolala open ?", wanted.path),
                SuggestedCommand.text("photolala previews ?", wanted.path)
            )
            let small = preview ? ["Small photos have no preview. To view the photo itself:  \(open)"] : []
            throw CommandFailure(
                "The library has no \(preview ? "preview" : "thumbnail") of \(wanted.path).", code: .notFound,
                advice: small + ["To create missing ones:  \(create)"])
        }
        if let output { try FileReplacement.create(bytes, at: output) }
        return ThumbnailResult(path: wanted.path, file: output, bytes: bytes)
    }

    private func read(_ photo: LibraryPhoto, in library: PhotolalaLibrary, offline: Bool) async throws -> Data? {
        do throws(PhotolalaError) {
            return preview
                ? try await library.preview(for: photo, offline: offline)
                : try await library.thumbnail(for: photo, offline: offline)
        } catch {
            guard error.code == .photoDamaged else { throw error }
            let repair = SuggestedCommand.text("photolala previews --verify ?", wanted.path)
            throw CommandFailure(error, advice: ["To create it again:  \(repair)"])
        }
    }
}

/// A thumbnail or preview, written to standard output or a file.
struct ThumbnailResult: CommandOutcome {
    private struct Output: Encodable {
        let path: String
        let file: String?
        let bytes: Int
    }

    let path: String
    let file: String?
    let bytes: Data

    func write(asJSON: Bool) throws {
        if asJSON { return try Terminal.writeJSON(Output(path: path, file: file, bytes: bytes.count)) }
        guard let file else { return try Terminal.writeOutput(bytes) }
        try Terminal.writeResult("Wrote \(Terminal.sanitized(file)) (\(ByteText.text(Int64(bytes.count)))).")
    }
}
