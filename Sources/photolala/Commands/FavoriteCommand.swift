import ArgumentParser
import PhotolalaClient

struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", abstract: "Make photos favorites, or no favorites any more.",
        subcommands: [ListFavoritesCommand.self, AddFavoriteCommand.self, RemoveFavoriteCommand.self]
    )
}

struct ListFavoritesCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the favorites, as `photolala list --favorites`.")

    @OptionGroup var marked: MarkedPhotosOptions

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> ListResult {
        try await marked.result(context) { $0.isFavorite = true }
    }
}

struct AddFavoriteCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Make photos favorites.")

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> MarkResult {
        let photos = try await context.library.photos(where: wanted.filter).withoutDuplicates
        let changed = try await context.library.setFavorite(true, of: photos)
        return MarkResult(found: photos.count, changed: changed, change: .added(to: "favorites"))
    }
}

struct RemoveFavoriteCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Make photos no favorites any more.")

    @OptionGroup var wanted: FilterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try wanted.requireSelection() }

    func perform(_ context: CommandContext) async throws -> MarkResult {
        let photos = try await context.library.photos(where: wanted.filter)
        let changed = try await context.library.setFavorite(false, of: photos)
        return MarkResult(found: photos.count, changed: changed, change: .removed(from: "favorites"))
    }
}

/// The result of adding photos to the favorites, the hidden photos or an album, or of removing them.
struct MarkResult: CommandResult {
    enum Change {
        case added(to: String)
        case removed(from: String)
        case hidden
        case shown
    }

    /// The number of photos that were selected.
    let found: Int
    /// The number of photos that changed.
    let changed: Int
    let change: Change

    private enum CodingKeys: CodingKey { case found, changed }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(found, forKey: .found)
        try container.encode(changed, forKey: .changed)
    }

    var text: String {
        guard found > 0 else { return "No matching photos. Nothing was changed." }
        guard changed > 0 else { return "\(unchanged) Nothing was changed." }
        let count = changed == 1 ? "1 photo" : "\(changed) photos"
        switch change {
        case .added(let name): return Terminal.sanitized("Added \(count) to \(name).")
        case .removed(let name): return Terminal.sanitized("Removed \(count) from \(name).")
        case .hidden: return "Hid \(count)."
        case .shown: return changed == 1 ? "1 photo is no longer hidden." : "\(changed) photos are no longer hidden."
        }
    }

    /// Why no photo changed.
    private var unchanged: String {
        switch change {
        case .added(let name): Terminal.sanitized("Already in \(name).")
        case .removed(let name): Terminal.sanitized("Not in \(name).")
        case .hidden: "Already hidden."
        case .shown: "Not hidden."
        }
    }
}

extension FilterOptions {
    /// Requires a path or a filter.
    func requireSelection() throws {
        guard isSpecified else {
            throw ValidationError("No photos selected. Give library paths, or filters such as --until and --name.")
        }
    }
}
