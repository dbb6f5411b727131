extension CatalogStore {
    /// Reads the albums. One request.
    package func albums() async throws(CatalogError) -> Albums { try await stored(Albums.self).document }

    /// Creates an album with photos.
    /// - Throws: `albumNameTaken`; the errors of an update.
    package func createAlbum(
        named name: AlbumName, with contents: Set<ContentDigest> = []
    ) async throws(CatalogError) -> AlbumID {
        let id = AlbumID(random: randomness.bytes(8))
        try await update(Albums.self) { albums throws(CatalogError) in
            try albums.create(id, named: name, with: contents, by: device)
        }
        return id
    }

    /// Changes the name of an album.
    /// - Throws: `unknownAlbum`, `albumNameTaken`; the errors of an update.
    package func renameAlbum(_ id: AlbumID, to name: AlbumName) async throws(CatalogError) {
        try await update(Albums.self) { albums throws(CatalogError) in
            try albums.rename(id, to: name, by: device)
        }
    }

    /// Adds contents to an album, or removes them from it; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    /// - Throws: `unknownAlbum`; the errors of an update.
    package func setPhotos(_ changes: [ContentDigest: Bool], in album: AlbumID) async throws(CatalogError) -> Int {
        try await update(Albums.self) { albums throws(CatalogError) in
            try albums.set(changes, in: album, by: device)
        }
    }

    /// Chooses a photo of an album as its cover, or with `nil` the newest one; writes nothing if nothing changes.
    /// - Returns: Whether the album has the photo.
    /// - Throws: `unknownAlbum`; the errors of an update.
    package func setCover(_ photo: ContentDigest?, of album: AlbumID) async throws(CatalogError) -> Bool {
        try await update(Albums.self) { albums throws(CatalogError) in
            try albums.setCover(photo, of: album, by: device)
        }
    }

    /// Adds the photos in folders of the library to albums with the folders' names, which are created. What was deleted or
    /// removed before stays so. Reads the catalog; writes nothing if nothing changes.
    /// - Throws: The errors of `load` and of an update.
    package func fillAlbums(from folders: Set<LibraryPath>) async throws(CatalogError) {
        if folders.isEmpty { return }
        let photos = try await load().catalog.entries.photos(inFolders: folders)
        try await update(Albums.self) { albums in
            for folder in folders.sorted() {
                guard let name = AlbumName(folder.name), let contents = photos[folder] else { continue }
                albums.fill(AlbumID(of: folder), named: name, with: contents, by: device)
            }
        }
    }

    /// Adds the photos in albums of another library to albums with the same ids or names, which are created, with their
    /// covers. What was deleted, removed or chosen before stays so; writes nothing if nothing changes.
    /// - Parameter contents: The only contents to add.
    /// - Returns: The number of albums that changed.
    /// - Throws: The errors of an update.
    package func fillAlbums(
        from other: Albums, with contents: Set<ContentDigest>
    ) async throws(CatalogError) -> Int {
        let wanted = other.all.map { (album: $0, contents: $0.contents.intersection(contents)) }
            .filter { !$0.contents.isEmpty }
        if wanted.isEmpty { return 0 }
        return try await update(Albums.self) { albums in
            wanted.reduce(0) { count, next in
                let isChanged = albums.fill(
                    next.album.id, named: next.album.name, with: next.contents, cover: next.album.cover, by: device)
                return count + (isChanged ? 1 : 0)
            }
        }
    }

    /// Deletes an album for good; its photos stay in the library.
    /// - Returns: Whether it existed.
    package func deleteAlbum(_ id: AlbumID) async throws(CatalogError) -> Bool {
        try await update(Albums.self) { albums in albums.delete(id) }
    }
}

extension CatalogEntries {
    /// Returns the contents of the photos directly in each folder, without sidecars and companions.
    fileprivate func photos(inFolders folders: Set<LibraryPath>) -> [LibraryPath: Set<ContentDigest>] {
        let wanted = Dictionary(uniqueKeysWithValues: folders.map { (Array($0.description.utf8), $0) })
        var entries: [LibraryPath: [UInt32]] = [:]
        for index in indices {
            if let folder = wanted[folder(index)] { entries[folder, default: []].append(order[index]) }
        }
        return entries.mapValues { Set(reordered($0).photosWithoutDuplicates.map(\.md5)) }
    }
}
