import ArgumentParser
import PhotolalaClient

struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album", abstract: "List, create and change albums.",
        discussion: """
            An album has photos at all their paths: a photo stays in it when it is moved or renamed. \
            `photolala list --album ALBUM` lists the photos of an album. Without a subcommand, lists the albums.
            """,
        subcommands: [
            ListAlbumsCommand.self, CreateAlbumCommand.self, AddToAlbumCommand.self, RemoveFromAlbumCommand.self,
            RenameAlbumCommand.self, AlbumCoverCommand.self, DeleteAlbumCommand.self,
        ],
        defaultSubcommand: ListAlbumsCommand.self
    )
}

/// The argument for an album.
struct AlbumArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Name of the album, ignoring case, or its ID.", valueName: "album"))
    var album: String

    func validate() throws { try TextChecks.check(album, of: "ALBUM", expects: "a name or ID") }
}

/// The argument for the name that an album gets.
struct AlbumNameArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Name, at most 256 bytes.", valueName: "name"))
    var name: String

    func validate() throws { try TextChecks.check(name, of: "NAME", expects: "a name") }
}

struct ListAlbumsCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the albums with their ID and the number of their photos."
    )

    @OptionGroup var connection: OfflineOption

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> AlbumsResult {
        AlbumsResult(
            albums: try await connection.reading(context) {
                try await context.library.albums(offline: connection.offline)
            })
    }
}

struct CreateAlbumCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Create an album.")

    @OptionGroup var argument: AlbumNameArgument

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> AlbumsResult {
        let album = try await context.library.createAlbum(named: argument.name)
        return AlbumsResult(albums: [album])
    }
}

struct AddToAlbumCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add photos to an album.",
        discussion: "Sidecars and companions, such as the video of a Live Photo, belong to their photo."
    )

    @OptionGroup var argument: AlbumArgument

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> MarkResult {
        let photos = try await context.library.photos(where: wanted.filter).withoutDuplicates
        let changed = try await context.library.addPhotos(photos, toAlbum: argument.album)
        return MarkResult(found: photos.count, changed: changed, change: .added(to: "“\(argument.album)”"))
    }
}

struct RemoveFromAlbumCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove photos from an album; they stay in your library."
    )

    @OptionGroup var argument: AlbumArgument

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> MarkResult {
        let photos = try await context.library.photos(where: wanted.filter)
        let changed = try await context.library.removePhotos(photos, fromAlbum: argument.album)
        return MarkResult(found: photos.count, changed: changed, change: .removed(from: "“\(argument.album)”"))
    }
}

struct RenameAlbumCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Change the name of an album.")

    @OptionGroup var argument: AlbumArgument

    @OptionGroup var name: AlbumNameArgument

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> DoneResult {
        try await context.library.renameAlbum(argument.album, to: name.name)
        return DoneResult(summary: Terminal.sanitized("Renamed “\(argument.album)” to “\(name.name)”."))
    }
}

struct AlbumCoverCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "cover", abstract: "Choose the cover of an album.",
        discussion: "The cover of an album is its newest photo until one is chosen."
    )

    @OptionGroup var argument: AlbumArgument

    @Argument(help: ArgumentHelp("A photo of the album, by library path.", valueName: "path"))
    var path: String?

    @Flag(help: "Use the newest photo of the album, also of those that are added later.")
    var newest = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let path { try TextChecks.check(path, of: "PATH", expects: "a photo") }
        guard (path != nil) != newest else { throw ValidationError("Give a photo or --newest.") }
    }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        let album = argument.album
        guard let path else {
            try await context.library.setCover(nil, ofAlbum: album)
            return DoneResult(summary: Terminal.sanitized("The cover of “\(album)” is its newest photo."))
        }
        var filter = PhotoFilter()
        filter.paths = [path]
        let photos = try await context.library.photos(where: filter).withoutDuplicates
        guard let photo = photos.first, photos.count == 1 else {
            throw PhotolalaError(code: .invalidRequest, detail: "“\(path)” is not one photo but \(photos.count).")
        }
        try await context.library.setCover(photo, ofAlbum: album)
        return DoneResult(summary: Terminal.sanitized("The cover of “\(album)” is \(photo.path)."))
    }
}

struct DeleteAlbumCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an album for good; its photos stay in your library."
    )

    @OptionGroup var argument: AlbumArgument

    @OptionGroup var confirmation: ConfirmationOption

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> DoneResult {
        try confirmation.requireAnswer("Nothing was deleted.")
        if !confirmation.yes {
            let question = Terminal.sanitized("Delete the album “\(argument.album)”? Its photos stay in your library.")
            guard await Confirmation.prompt(question) else { return DoneResult(summary: "Nothing was deleted.") }
        }
        try await context.library.deleteAlbum(argument.album)
        return DoneResult(summary: Terminal.sanitized("Deleted the album “\(argument.album)”."))
    }
}

/// Albums of the library.
struct AlbumsResult: CommandResult {
    let albums: [LibraryAlbum]

    var text: String {
        guard !albums.isEmpty else { return "No albums yet. Create one:  photolala album create NAME" }
        return albums.map { album in
            let count = album.photos == 1 ? "1 photo" : "\(album.photos) photos"
            return "\(album.id)  “\(Terminal.sanitized(album.name))”, \(count)"
        }.joined(separator: "\n")
    }
}
