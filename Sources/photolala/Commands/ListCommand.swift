import ArgumentParser
import PhotolalaClient

struct ListCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the photos and videos of your library."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> ListResult {
        ListResult(photos: try await context.library.photos())
    }
}

/// The library's photos, in the order of their paths.
struct ListResult: CommandResult {
    let photos: [LibraryPhoto]

    var text: String {
        photos.map { photo in
            let date = (photo.taken ?? photo.modified).prefix(10)
            return "\(date)  \(ByteText.text(photo.size))\t\(Terminal.harmless(photo.path))"
        }.joined(separator: "\n")
    }
}
