import ArgumentParser
import PhotolalaClient

struct HiddenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hidden", abstract: "Hide photos from the portal's Photos page, or show them there again.",
        discussion: """
            Hidden photos are in the portal's Archive. Nothing is deleted: they stay in albums, favorites, searches, \
            backups, restores and exports. For photos in an archive of the photo store, use photolala recall.
            """,
        subcommands: [ListHiddenCommand.self, AddHiddenCommand.self, RemoveHiddenCommand.self]
    )
}

struct ListHiddenCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the hidden photos, as `photolala list --hidden`.")

    @OptionGroup var marked: MarkedPhotosOptions

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> ListResult {
        try await marked.result(context) { $0.isHidden = true }
    }
}

struct AddHiddenCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Hide photos.")

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> MarkResult {
        let photos = try await context.library.photos(where: wanted.filter).withoutDuplicates
        let changed = try await context.library.setHidden(true, of: photos)
        return MarkResult(found: photos.count, changed: changed, change: .hidden)
    }
}

struct RemoveHiddenCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Show photos again.")

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> MarkResult {
        let photos = try await context.library.photos(where: wanted.filter)
        let changed = try await context.library.setHidden(false, of: photos)
        return MarkResult(found: photos.count, changed: changed, change: .shown)
    }
}
