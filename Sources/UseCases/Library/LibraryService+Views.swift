import PhotoCatalog
import PhotolalaAPI

extension LibraryService {
    /// Returns what a page shows of the caller's library. Three concurrent requests if the library is cached and has not
    /// changed, four for an album, two for the trash.
    /// - Throws: The errors of `showLibrary`; `catalogUnusable` or `catalogDamaged` if the query is for favorites, hidden
    ///   photos or an album and their document is unusable; `notFound` if there is no such album.
    package func view(_ query: LibraryQuery, caller: Caller) async throws(ServiceError) -> LibraryView {
        let (library, favorites, hidden, albums) = try await mapServiceErrors {
            async let favorites = self.marks(\.favorites, caller)
            async let hidden = self.hidden(of: query, caller)
            async let albums = self.albums(of: query, caller)
            let library = try await showLibrary(caller)
            return (library, try await favorites, try await hidden, try await albums)
        }
        let (known, knownHidden) = (try? favorites.get(), try? hidden?.get())
        libraries.store(known, as: \.favorites, of: caller.user)
        libraries.store(knownHidden, as: \.hidden, of: caller.user)
        libraries.store(albums, as: \.albums, of: caller.user)
        let album = query.album.flatMap { albums?.document[$0] }
        if query.album != nil, album == nil { throw .notFound }
        let destination = query.destination.flatMap { albums?.document[$0] }
        if query.destination != nil, destination == nil { throw .notFound }
        var name = library.name
        if query.isFavorite {
            if case .failure(let error) = favorites { throw error }
            name += "-\(known?.tag?.description ?? "")"
        }
        if query.isHidden, case .failure(let error) = hidden { throw error }
        let documents = (favorites: known?.document ?? Favorites(), hidden: knownHidden?.document ?? HiddenPhotos())
        let isFiltered = query.isHidden || query.dependsOnHidden && !documents.hidden.contents.isEmpty
        if isFiltered { name += "-\(knownHidden?.tag?.description ?? "")" }
        if query.album != nil, let albums { name += "-\(albums.tag?.description ?? "")" }
        let found =
            query.isWhole && !isFiltered
            ? nil
            : try await find(
                query, in: library, favorites: documents.favorites, hidden: documents.hidden, album: album, name: name,
                caller)
        return LibraryView(
            timeline: found?.timeline ?? library.timeline(query.list), favorites: documents.favorites,
            hidden: documents.hidden, album: album, destination: destination, name: name,
            entries: library.entries(query.list), otherCameras: found?.otherCameras, otherKinds: found?.otherKinds)
    }

    /// Returns a view that a page showed. No request if it is cached.
    /// - Throws: `preconditionFailed` if it is not cached and the library has a newer version.
    package func view(_ query: LibraryQuery, named name: String, caller: Caller) async throws(ServiceError)
        -> LibraryView
    {
        if let known = libraries.cache.library(of: caller.user), let shown = known.shown {
            // The name of the whole list without hidden photos differs from that of the library.
            let isWhole = query.isWhole && shown.name == name
            let found = known.found.flatMap { $0.query == query && $0.name == name ? $0 : nil }
            if let timeline = isWhole ? shown.timeline(query.list) : found?.timeline {
                return LibraryView(
                    timeline: timeline, favorites: known.favorites?.document ?? Favorites(),
                    hidden: known.hidden?.document ?? HiddenPhotos(),
                    album: query.album.flatMap { known.albums?.document[$0] },
                    destination: query.destination.flatMap { known.albums?.document[$0] }, name: name,
                    entries: shown.entries(query.list), otherCameras: found?.otherCameras,
                    otherKinds: found?.otherKinds)
            }
        }
        let view = try await view(query, caller: caller)
        guard view.name == name else { throw .preconditionFailed }
        return view
    }

    /// Returns a document of the caller with marks, or why it is unusable, which is no reason to show no photos.
    func marks<Mark>(
        _ member: WritableKeyPath<CachedLibrary, StoredDocument<PhotoMarks<Mark>>?>, _ caller: Caller
    ) async throws(ServiceError) -> Result<StoredDocument<PhotoMarks<Mark>>, ServiceError> {
        do throws(ServiceError) { return .success(try await document(member, caller)) } catch {
            switch error {
            case .catalogDamaged, .catalogUnusable: return .failure(error)
            default: throw error
            }
        }
    }

    /// Returns the hidden photos; `nil` for the trash, whose photos are never hidden.
    private func hidden(
        of query: LibraryQuery, _ caller: Caller
    ) async throws(ServiceError) -> Result<StoredDocument<HiddenPhotos>, ServiceError>? {
        query.list == .photos ? try await marks(\.hidden, caller) : nil
    }

    private func albums(of query: LibraryQuery, _ caller: Caller) async throws -> StoredDocument<Albums>? {
        query.album == nil && query.destination == nil ? nil : try await document(\.albums, caller)
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
    ///   of the favorites is unusable; `invalidRequest` if it is full.
    package func setFavorite(
        _ isFavorite: Bool, of photos: Set<ContentDigest>, caller: Caller
    ) async throws(ServiceError) -> Int {
        try await set(isFavorite, of: photos, in: Favorites.self, caller)
    }

    /// Hides photos from the whole list of photos, or shows them there again.
    /// - Returns: The number of photos that changed. Contents that the library does not have are ignored.
    /// - Throws: The errors of `setFavorite`, for the document of the hidden photos.
    package func setHidden(
        _ isHidden: Bool, of photos: Set<ContentDigest>, caller: Caller
    ) async throws(ServiceError) -> Int {
        try await set(isHidden, of: photos, in: HiddenPhotos.self, caller)
    }

    private func set<Mark>(
        _ isMarked: Bool, of photos: Set<ContentDigest>, in type: PhotoMarks<Mark>.Type, _ caller: Caller
    ) async throws(ServiceError) -> Int {
        guard !photos.isEmpty else { throw .invalidRequest("Select at least one photo.") }
        try requireWriteAccess(caller)
        let known = try await libraryPhotos(photos, caller)
        guard !known.isEmpty else { return 0 }
        return try await readLibrary(caller) { catalogs in
            try await catalogs.set(Dictionary(uniqueKeysWithValues: known.map { ($0, isMarked) }), in: type)
        }
    }

    private func find(
        _ query: LibraryQuery, in library: OpenLibrary, favorites: Favorites, hidden: HiddenPhotos, album: Album?,
        name: String, _ caller: Caller
    ) async throws(ServiceError) -> FoundPhotos {
        if let found = libraries.cache.library(of: caller.user)?.found, found.query == query, found.name == name {
            return found
        }
        let found = try await readLibrary(caller) { _ in
            func timeline(_ selection: PhotoSelection) async throws -> Timeline {
                try await library.timeline(query.list).selected(
                    selection, favorites: favorites, hidden: hidden, album: album?.contents ?? [],
                    at: query.place, from: library.entries(query.list))
            }
            // One search finds the photos of the camera and counts the others.
            let any = try await timeline(query.selection)
            var found = FoundPhotos(query: query, name: name, timeline: query.camera.map(any.limited) ?? any)
            if query.camera != nil { found.otherCameras = any.photos.mostUsedCameras(LibraryView.mostCameras) }
            if query.kind != nil {
                let all = try await timeline(query.selectionOfAllKinds)
                found.otherKinds = (query.camera.map(all.limited) ?? all).photos.present(LibraryView.kinds)
            }
            return found
        }
        libraries.store(found, as: \.found, of: caller.user)
        return found
    }
}
