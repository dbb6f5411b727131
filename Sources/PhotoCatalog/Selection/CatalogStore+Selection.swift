extension CatalogStore {
    /// Entries of the newest catalog, with the entries from which they were selected.
    package struct SelectionResult: Sendable {
        package let entries: CatalogEntries
        package let all: CatalogEntries
        package let version: Version
        /// The contents that are favorites; `nil` if the selection does not depend on them.
        package let favorites: Set<ContentDigest>?
        /// The contents that are hidden; `nil` if the selection does not depend on them.
        package let hidden: Set<ContentDigest>?

        let isByContent: Bool

        /// Returns the same selection with other entries.
        func with(_ entries: CatalogEntries) -> SelectionResult {
            SelectionResult(
                entries: entries, all: all, version: version, favorites: favorites, hidden: hidden,
                isByContent: isByContent)
        }

        /// The entries with the files that belong to them.
        package var completed: CatalogEntries {
            isByContent ? entries.completedFromPrimaries(from: all) : entries.completed(from: all)
        }
    }

    /// Returns the album with a name or id. One request.
    /// - Throws: `unknownAlbum`, `ambiguousAlbum`, `catalog`
    package func album(_ text: String) async throws(SelectionError) -> Album {
        let albums: Albums
        do { albums = try await self.albums() } catch { throw .catalog(error) }
        let ids = albums.ids(of: text)
        guard let id = ids.first, let album = albums[id] else { throw .unknownAlbum(text) }
        guard ids.count == 1 else { throw .ambiguousAlbum(text, ids) }
        return album
    }

    /// Reads the newest catalog and selects entries from it.
    /// - Parameters:
    ///   - known: The last catalog that was read, so that only what is new is read.
    ///   - part: Returns the entries to select from: those of the library, or those in its trash.
    package func select(
        _ selection: PhotoSelection, after known: Version? = nil,
        from part: (Catalog) -> CatalogEntries = { $0.entries }
    ) async throws(SelectionError) -> SelectionResult {
        let version: Version
        var evaluated = selection
        do {
            if let known { version = try await newest(after: known) } else { version = try await load() }
            if selection.isFavorite != nil { evaluated.favorites = try await favorites().contents }
            if selection.isHidden != nil { evaluated.hidden = try await hidden().contents }
        } catch { throw .catalog(error) }
        if let album = selection.album { evaluated.members = try await self.album(album).contents }
        let all = part(version.catalog)
        do {
            return SelectionResult(
                entries: try all.selected(evaluated), all: all, version: version,
                favorites: selection.isFavorite == nil ? nil : evaluated.favorites,
                hidden: selection.isHidden == nil ? nil : evaluated.hidden, isByContent: selection.isByContent)
        } catch {
            let nowhere = SelectedPaths(error.paths, among: version.catalog.trash).unknown
            throw .unknownPaths(error.paths, inTrash: error.paths.filter { !nowhere.contains($0) })
        }
    }
}

/// The reason why a selection failed.
package enum SelectionError: Error, Equatable, Sendable {
    case catalog(CatalogError)
    /// There are no entries at these paths. Of a selection in the library, some may be in the trash.
    case unknownPaths([String], inTrash: [String] = [])
    /// No album has this name or id.
    case unknownAlbum(String)
    /// Several albums, with these ids, have the name.
    case ambiguousAlbum(String, [AlbumID])
    /// There is no entry at this path, only below it.
    case folderPath(String)
    /// No selected version has an id with this prefix.
    case unknownVersion(String)
    /// Versions with different contents have ids with this prefix.
    case ambiguousVersion(String)
}
