import ArgumentParser
import Foundation
import PhotolalaClient

struct OpenCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Download a photo or video to the cache, and open it.",
        discussion: """
            Opens the file with this machine's default program; without a display, prints its location. Cached files are \
            removed when the cache exceeds 1 GiB, and at sign-out; until then, --offline opens them without a connection. To keep a photo: photolala restore --to FOLDER PATH
            """
    )

    @OptionGroup var wanted: PhotoArgument

    @Flag(name: .customLong("print"), help: "Only print the location of the file.")
    var printsOnly = false

    @OptionGroup var connection: OfflineOption

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> OpenResult {
        let library = try await context.viewingLibrary()
        let original = try await library.original(
            for: try await wanted.photo(in: context, connection), offline: connection.offline)
        let isOpened = !printsOnly && !common.json && SystemOpener.open(original.url)
        return OpenResult(path: wanted.path, file: original.url.path, isOpened: isOpened)
    }
}

/// The location of a cached photo.
struct OpenResult: CommandResult {
    let path: String
    let file: String
    let isOpened: Bool

    var text: String { isOpened ? "Opened \(Terminal.sanitized(path))." : Terminal.sanitized(file) }
}
