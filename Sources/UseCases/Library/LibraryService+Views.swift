import PhotoCatalog
import PhotolalaAPI

extension LibraryService {
    /// Returns what a page shows of the caller's library. Two concurrent requests if the library is cached and has not
    /// changed, three for an album.
    /// - Throws: The errors of `showLibrary`; `catalogUnusable` or `catalogDamaged` if the query is for favorites or an
    ///   album and their document is unusable; `notFound` if there is no such album.
    package func view(_ query: LibraryQuery, caller: Caller) async throws(ServiceError) -> LibraryView {
        let (library, favorites, albums) = try await mapServiceErrors {
            async let favorites = self.favorites(of: caller)
            async let albums = self.albums(of: query, caller)
            let library = try await showLibrary(caller)
            return (library, try await favorites, try await albums)
        }
        let known = try? favorites.get()
        libraries.store(known, as: \.favorites, of: caller.user)
        libraries.store(albums, as: \.albums, of: caller.user)
        let album = query.album.flatMap { albums?.document[$0] }
        if query.album != nil, album == nil { throw .notFound }
        var name = library.name
        if query.isFavorite {
            if case .failure(let error) = favorites { throw error }
            name += "-\(known?.tag?.description ?? "")"
        }
        if let albums { name += "-\(albums.tag?.description ?? "")" }
        let timeline =
            query.isWhole
            ? library.timeline(query.list)
            : try await find(query, in: library, favorites: known?.document, album: album, name: name, caller)
        return LibraryView(
            timeline: timeline, favorites: known?.document ?? Favorites(), album: album, name: name,
            entries: library.entries(query.list))
    }

    /// Returns a view that a page showed. No request if it is cached.
    /// - Throws: `preconditionFailed` if it is not cached and the library has a newer version.
    package func view(_ query: LibraryQuery, named name: String, caller: Caller) async throws(ServiceError)
        -> LibraryView
    {
        if let known = libraries.cache.library(of: caller.user), let shown = known.shown {
            let timeline: Timeline? =
                if query.isWhole {
                    shown.name == name ? shown.timeline(query.list) : nil
                } else {
                    known.found.flatMap { $0.query == query && $0.name == name ? $0.timeline : nil }
                }
            if let timeline {
                return LibraryView(
                    timeline: timeline, favorites: known.favorites?.document ?? Favorites(),
                    album: query.album.flatMap { known.albums?.document[$0] }, name: name,
                    entries: shown.entries(query.list))
            }
        }
        let view = try await view(query, caller: caller)
        guard view.name == name else { throw .preconditionFailed }
        return view
    }

    /// Returns the caller's favorites, or why their document is unusable, which is no reason to show no photos.
    func favorites(
        of caller: Caller
    ) async throws(ServiceError) -> Result<StoredDocument<Favorites>, ServiceError> {
        do throws(ServiceError) { return .success(try await document(\.favorites, caller)) } catch {
            switch error {
            case .catalogDamaged, .catalogUnusable: return .failure(error)
            default: throw error
            }
        }
    }

    private func albums(of query: LibraryQuery, _ caller: Caller) async throws -> StoredDocument<Albums>? {
        query.album == nil ? nil : try await document(\.albums, caller)
    }

    /// Returns a document of the caller, which is not cached by this. One request, within no limit of reads, if it is
    /// cached and has not changed.
    func document<Document: LibraryDocument>(
        _ member: WritableKeyPath<CachedLibrary, StoredDocument<Document>?>, _ caller: Caller
    ) async throws(ServiceError) -> StoredDocument<Document> {
        if let known = libraries.cache.library(of: caller.user)?[keyPath: member] {
            let catalogs = try await catalogs(of: caller)
            if try await mapServiceErrors({ try await catalogs.isCurrent(known) }) { return known }
        }
        return try await readLibrary(caller) { try await $0.stored(Document.self) }
    }

    /// Makes photos of the library favorites, or no favorites any more.
    /// - Returns: The number of photos that changed. Contents that the library does not have are ignored.
    /// - Throws: `storageReadOnly` while the account is being deleted; `catalogDamaged` or `catalogUnusable` if the document
    ///   of the favorites is unusable.
    package func setFavorite(
        _ isFavorite: Bool, of photos: Set<ContentDigest>, caller: Caller
    ) async throws(ServiceError) -> Int {
        guard !photos.isEmpty else { throw .invalidRequest("Select at least one photo.") }
        try requireWriteAccess(caller)
        let known = try await libraryPhotos(photos, caller)
        guard !known.isEmpty else { return 0 }
        return try await readLibrary(caller) { catalogs in
            try await catalogs.setFavorites(Dictionary(uniqueKeysWithValues: known.map { ($0, isFavorite) }))
        }
    }

    private func find(
        _ query: LibraryQuery, in library: OpenLibrary, favorites: Favorites?, album: Album?, name: String,
        _ caller: Caller
    ) async throws(ServiceError) -> Timeline {
        if let found = libraries.cache.library(of: caller.user)?.found, found.query == query, found.name == name {
            return found.timeline
        }
        let timeline = try await readLibrary(caller) { _ in
            try await library.timeline(query.list).selected(
                query.selection, favorites: favorites ?? Favorites(), album: album?.contents ?? [],
                from: library.entries(query.list))
        }
        libraries.store(FoundPhotos(query: query, name: name, timeline: timeline), as: \.found, of: caller.user)
        return timeline
    }
}
