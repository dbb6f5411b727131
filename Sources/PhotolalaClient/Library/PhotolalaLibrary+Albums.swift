import PhotoCatalog

/// Albums of the library. Devices change them independently: of a name, a cover and each photo the last change wins, and a
/// deleted album stays deleted. In all functions, `album` is an album's ID or its name, ignoring case.
extension PhotolalaLibrary {
    /// Returns the albums, by name. Two requests if the catalog is in this device's copy.
    /// - Parameter offline: Reads this device's copies of the catalog and of the albums, without any request.
    /// - Throws: `catalogUnusable` if the albums are damaged, or were written by a newer version; `noCatalogCopy` if this
    ///   device has no copy.
    public func albums(offline: Bool = false) async throws(PhotolalaError) -> [LibraryAlbum] {
        let catalogs = try await catalogs(offline: offline)
        do {
            let albums = try await catalogs.albums().all
            guard !albums.isEmpty else { return [] }
            let contents = Set(try await catalogs.load().catalog.entries.lazy.map(\.md5))
            return albums.map { album in
                LibraryAlbum(
                    id: album.id.description, name: album.name.description,
                    photos: album.contents.count { contents.contains($0) }, cover: album.cover?.description)
            }
        } catch {
            if offline { throw .incompleteCatalogCopy }
            throw PhotolalaError(error)
        }
    }

    /// Creates an album without photos.
    /// - Parameter name: 1 to 256 bytes of UTF-8. White space at its ends is removed.
    /// - Throws: `invalidRequest` for an invalid name, or if another album has it; `catalogUnusable` if the albums are
    ///   damaged, were written by a newer version, or are full: 1,000 albums, and 200,000 photos in all of them.
    public func createAlbum(named name: String) async throws(PhotolalaError) -> LibraryAlbum {
        let name = try Self.albumName(name)
        let catalogs = try await writableCatalogs()
        do {
            let id = try await catalogs.createAlbum(named: name)
            return LibraryAlbum(id: id.description, name: name.description, photos: 0, cover: nil)
        } catch { throw PhotolalaError(error) }
    }

    /// Changes the name of an album.
    /// - Parameter name: As in ``createAlbum(named:)``.
    /// - Throws: `notFound` if there is no such album; the errors of ``createAlbum(named:)``.
    public func renameAlbum(_ album: String, to name: String) async throws(PhotolalaError) {
        let name = try Self.albumName(name)
        let (catalogs, id) = try await writableAlbum(album)
        do { try await catalogs.renameAlbum(id, to: name) } catch { throw PhotolalaError(error) }
    }

    /// Adds photos to an album.
    /// - Returns: The number of photos that were not in it.
    /// - Throws: `notFound` if there is no such album; `invalidRequest` if several albums have the name;
    ///   `catalogUnusable` as ``createAlbum(named:)``.
    @discardableResult
    public func addPhotos(
        _ photos: some Collection<LibraryPhoto>, toAlbum album: String
    ) async throws(PhotolalaError) -> Int {
        try await set(photos.changes(to: true), in: album)
    }

    /// Removes photos from an album. They stay in the library.
    /// - Returns: The number of photos that were in it.
    /// - Throws: The errors of ``addPhotos(_:toAlbum:)``.
    @discardableResult
    public func removePhotos(
        _ photos: some Collection<LibraryPhoto>, fromAlbum album: String
    ) async throws(PhotolalaError) -> Int {
        try await set(photos.changes(to: false), in: album)
    }

    /// Chooses a photo of an album as its cover.
    /// - Parameter photo: `nil` for the newest photo, also of those that are added later.
    /// - Throws: `notFound` if there is no such album, or if it does not have the photo; the other errors of
    ///   ``addPhotos(_:toAlbum:)``.
    public func setCover(_ photo: LibraryPhoto?, ofAlbum album: String) async throws(PhotolalaError) {
        let (catalogs, id) = try await writableAlbum(album)
        let isSet: Bool
        do {
            isSet = try await catalogs.setCover(photo.flatMap { ContentDigest($0.md5) }, of: id)
        } catch { throw PhotolalaError(error) }
        guard isSet else { throw PhotolalaError(code: .notFound, detail: "The album does not have this photo.") }
    }

    /// Deletes an album for good. Its photos stay in the library.
    /// - Throws: The errors of ``addPhotos(_:toAlbum:)``.
    public func deleteAlbum(_ album: String) async throws(PhotolalaError) {
        let (catalogs, id) = try await writableAlbum(album)
        do { _ = try await catalogs.deleteAlbum(id) } catch { throw PhotolalaError(error) }
    }

    private func set(_ changes: [ContentDigest: Bool], in album: String) async throws(PhotolalaError) -> Int {
        let (catalogs, id) = try await writableAlbum(album)
        do { return try await catalogs.setPhotos(changes, in: id) } catch { throw PhotolalaError(error) }
    }

    private func writableAlbum(_ album: String) async throws(PhotolalaError) -> (CatalogStore, AlbumID) {
        let catalogs = try await writableCatalogs()
        do { return (catalogs, try await catalogs.album(album).id) } catch { throw PhotolalaError(error) }
    }

    private static func albumName(_ text: String) throws(PhotolalaError) -> AlbumName {
        guard let name = AlbumName(text) else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail:
                    "The name of an album must have 1 to \(AlbumName.maximumLength) bytes and no control or invisible characters."
            )
        }
        return name
    }
}
