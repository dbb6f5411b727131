import PhotoCatalog
import PhotolalaAPI

/// Whether an album could be given a name.
package enum AlbumNaming: Sendable, Equatable {
    case named(AlbumID)
    /// Another album has the name.
    case nameTaken
    /// The text is not the name of an album.
    case invalidName
}

/// The albums of a library. Their photos are contents, so an album has a photo at all its paths.
extension LibraryService {
    /// Returns the caller's albums by name, each with the number of its photos and its cover. Two concurrent
    /// requests if library and albums are cached and have not changed.
    /// - Throws: The errors of `showLibrary`, also for the document of the albums.
    package func albums(_ caller: Caller) async throws(ServiceError) -> [AlbumSummary] {
        let (library, albums) = try await mapServiceErrors {
            async let albums = document(\.albums, caller)
            let library = try await showLibrary(caller)
            return (library, try await albums)
        }
        libraries.store(albums, as: \.albums, of: caller.user)
        let all = albums.document.all
        if all.isEmpty { return [] }
        return try await readLibrary(caller) { _ in try await library.photos.summaries(of: all) }
    }

    /// Returns the names of the caller's albums. One request if they are cached and have not changed.
    /// - Throws: The errors of `albums`.
    package func albumNames(_ caller: Caller) async throws(ServiceError) -> [AlbumID: AlbumName] {
        let albums = try await document(\.albums, caller)
        libraries.store(albums, as: \.albums, of: caller.user)
        return Dictionary(uniqueKeysWithValues: albums.document.all.map { ($0.id, $0.name) })
    }

    /// Returns the caller's albums that have a content, by name; none if their document is unusable. One request if
    /// they are cached and have not changed.
    package func albums(
        with md5: ContentDigest, caller: Caller
    ) async throws(ServiceError) -> [(id: AlbumID, name: AlbumName)] {
        do throws(ServiceError) {
            let albums = try await document(\.albums, caller)
            libraries.store(albums, as: \.albums, of: caller.user)
            return albums.document.names(with: md5)
        } catch {
            switch error {
            case .catalogDamaged, .catalogUnusable: return []
            default: throw error
            }
        }
    }

    /// Returns an album.
    /// - Throws: `notFound`; the errors of `albums`.
    package func album(_ id: AlbumID, caller: Caller) async throws(ServiceError) -> Album {
        let albums = try await document(\.albums, caller)
        libraries.store(albums, as: \.albums, of: caller.user)
        guard let album = albums.document[id] else { throw .notFound }
        return album
    }

    /// Creates an album with photos of the library.
    /// - Returns: The number of the photos, too. Contents that the library does not have are ignored.
    /// - Throws: `storageReadOnly` while the account is being deleted; `invalidRequest` if the document of the albums is
    ///   full; the errors of `albums`.
    package func createAlbum(
        named text: String, with photos: Set<ContentDigest> = [], caller: Caller
    ) async throws(ServiceError) -> (naming: AlbumNaming, photos: Int) {
        guard let name = AlbumName(text) else { return (.invalidName, 0) }
        let known = try await libraryPhotos(photos, caller)
        return (try await self.name(caller) { try await $0.createAlbum(named: name, with: known) }, known.count)
    }

    /// Adds the photos in folders of the library to albums with the folders' names, which are created. What was deleted
    /// or removed before stays so.
    /// - Throws: The errors of `createAlbum`.
    package func fillAlbums(from folders: Set<LibraryPath>, caller: Caller) async throws(ServiceError) {
        try requireWriteAccess(caller)
        try await readLibrary(caller) { try await $0.fillAlbums(from: folders) }
    }

    /// Changes the name of an album.
    /// - Throws: `notFound`; the errors of `createAlbum`.
    package func renameAlbum(
        _ id: AlbumID, to text: String, caller: Caller
    ) async throws(ServiceError) -> AlbumNaming {
        guard let name = AlbumName(text) else { return .invalidName }
        return try await self.name(caller) {
            try await $0.renameAlbum(id, to: name)
            return id
        }
    }

    /// Adds photos of the library to an album, or removes them from it.
    /// - Returns: The number of photos that changed. Contents that the library does not have are ignored.
    /// - Throws: `notFound`; the errors of `createAlbum`.
    package func setPhotos(
        _ photos: Set<ContentDigest>, areIn isMember: Bool, _ album: AlbumID, caller: Caller
    ) async throws(ServiceError) -> Int {
        let known = try await libraryPhotos(photos, caller)
        try requireWriteAccess(caller)
        return try await readLibrary(caller) { catalogs in
            try await catalogs.setPhotos(Dictionary(uniqueKeysWithValues: known.map { ($0, isMember) }), in: album)
        }
    }

    /// Chooses a photo of an album as its cover, or with `nil` the newest one.
    /// - Throws: `notFound`, also for a photo that the album does not have or that is in the trash; the errors of
    ///   `createAlbum`.
    package func setCover(
        _ photo: ContentDigest?, of album: AlbumID, caller: Caller
    ) async throws(ServiceError) {
        try requireWriteAccess(caller)
        if let photo, try await libraryPhotos([photo], caller).isEmpty { throw .notFound }
        guard try await readLibrary(caller, { try await $0.setCover(photo, of: album) }) else { throw .notFound }
    }

    /// Deletes an album for good. Its photos stay in the library.
    /// - Returns: Whether it existed.
    /// - Throws: The errors of `createAlbum`.
    package func deleteAlbum(_ id: AlbumID, caller: Caller) async throws(ServiceError) -> Bool {
        try requireWriteAccess(caller)
        return try await readLibrary(caller) { try await $0.deleteAlbum(id) }
    }

    /// Returns those contents that are photos of the library.
    package func libraryPhotos(
        _ photos: Set<ContentDigest>, _ caller: Caller
    ) async throws(ServiceError) -> Set<ContentDigest> {
        photos.isEmpty ? [] : Set(try await showLibrary(caller).photos.photos(photos).map(\.md5))
    }

    func requireWriteAccess(_ caller: Caller) throws(ServiceError) {
        guard try storageAccess.access(of: caller) != .read else { throw .storageReadOnly }
    }

    private func name(
        _ caller: Caller, _ act: (CatalogStore) async throws -> AlbumID
    ) async throws(ServiceError) -> AlbumNaming {
        try requireWriteAccess(caller)
        return try await readLibrary(caller) { catalogs in
            do { return .named(try await act(catalogs)) } catch CatalogError.albumNameTaken { return .nameTaken }
        }
    }
}
