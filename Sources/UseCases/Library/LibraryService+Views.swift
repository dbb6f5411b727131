import PhotoCatalog
import PhotolalaAPI

/// Favorites, or why their document is unusable.
typealias ReadFavorites = Result<CatalogStore.StoredFavorites, CatalogError>

extension LibraryService {
    /// Returns what a page shows of the caller's library. Two concurrent requests if the library is cached and has not
    /// changed.
    /// - Throws: The errors of `showLibrary`; `catalogUnusable` or `catalogDamaged` if the query is for favorites and their
    ///   document is unusable.
    package func view(_ query: LibraryQuery, caller: Caller) async throws(ServiceError) -> LibraryView {
        let (library, favorites) = try await mapServiceErrors { () async throws -> (OpenLibrary, ReadFavorites) in
            async let favorites = self.favorites(of: caller)
            let library = try await showLibrary(caller)
            return (library, try await favorites)
        }
        let known = try? favorites.get()
        libraries.store(favorites: known, of: caller.user)
        if query.isWhole {
            return LibraryView(
                timeline: library.timeline(query.list), favorites: known?.favorites ?? Favorites(), name: library.name,
                entries: library.entries(query.list))
        }
        if query.isFavorite, case .failure(let error) = favorites { throw ServiceError(error) }
        let name = query.isFavorite ? "\(library.name)-\(known?.tag?.description ?? "")" : library.name
        let timeline = try await find(query, in: library, favorites: known?.favorites, name: name, caller)
        return LibraryView(
            timeline: timeline, favorites: known?.favorites ?? Favorites(), name: name,
            entries: library.entries(query.list))
    }

    /// Returns a view that a page showed. No request if it is cached.
    /// - Throws: `preconditionFailed` if it is not cached and the library has a newer version.
    package func view(_ query: LibraryQuery, named name: String, caller: Caller) async throws(ServiceError)
        -> LibraryView
    {
        if let known = libraries.cache.library(of: caller.user) {
            let favorites = known.favorites?.favorites ?? Favorites()
            if query.isWhole, let shown = known.shown, shown.name == name {
                return LibraryView(
                    timeline: shown.timeline(query.list), favorites: favorites, name: name,
                    entries: shown.entries(query.list))
            }
            if let found = known.found, found.query == query, found.name == name, let shown = known.shown {
                return LibraryView(
                    timeline: found.timeline, favorites: favorites, name: name, entries: shown.entries(query.list))
            }
        }
        let view = try await view(query, caller: caller)
        guard view.name == name else { throw .preconditionFailed }
        return view
    }

    /// Returns the caller's favorites. An unusable document is no reason to show no photos. One request, within no limit of
    /// reads, if they are cached and have not changed.
    func favorites(of caller: Caller) async throws(ServiceError) -> ReadFavorites {
        if let known = libraries.cache.library(of: caller.user)?.favorites {
            let catalogs = try await catalogs(of: caller)
            if try await mapServiceErrors({ try await catalogs.isCurrent(known) }) { return .success(known) }
        }
        return try await readLibrary(caller) { catalogs in
            do throws(CatalogError) { return .success(try await catalogs.storedFavorites()) } catch {
                guard error == .favoritesDamaged || error == .favoritesOfNewerVersion else { throw error }
                return .failure(error)
            }
        }
    }

    /// Makes photos of the library favorites, or no favorites any more.
    /// - Returns: The number of photos that changed. Contents that the library does not have are ignored.
    /// - Throws: `storageReadOnly` while the account is being deleted; `catalogDamaged` or `catalogUnusable` if the document
    ///   of the favorites is unusable.
    package func setFavorite(
        _ isFavorite: Bool, of photos: Set<ContentDigest>, caller: Caller
    ) async throws(ServiceError) -> Int {
        guard !photos.isEmpty else { throw .invalidRequest("Select at least one photo.") }
        guard try storageAccess.access(of: caller) != .read else { throw .storageReadOnly }
        let known = Set(try await showLibrary(caller).photos.photos(photos).map(\.md5))
        guard !known.isEmpty else { return 0 }
        return try await readLibrary(caller) { catalogs in
            try await catalogs.setFavorites(Dictionary(uniqueKeysWithValues: known.map { ($0, isFavorite) }))
        }
    }

    private func find(
        _ query: LibraryQuery, in library: OpenLibrary, favorites: Favorites?, name: String, _ caller: Caller
    ) async throws(ServiceError) -> Timeline {
        if let found = libraries.cache.library(of: caller.user)?.found, found.query == query, found.name == name {
            return found.timeline
        }
        let timeline = try await readLibrary(caller) { _ in
            try await library.timeline(query.list).selected(
                query.selection, favorites: favorites ?? Favorites(), from: library.entries(query.list))
        }
        libraries.store(
            favorites: nil, found: FoundPhotos(query: query, name: name, timeline: timeline), of: caller.user)
        return timeline
    }
}
