import PhotoCatalog

extension PhotolalaLibrary {
    /// Makes photos favorites, or no favorites any more. A photo is a favorite at all its paths and in all copies of the
    /// library; of changes on several devices the last one wins. Two requests.
    /// - Returns: The number of photos that changed.
    /// - Throws: `catalogUnusable` if the list of favorites is damaged, was written by a newer version, or is full.
    @discardableResult
    public func setFavorite(
        _ isFavorite: Bool, of photos: some Collection<LibraryPhoto>
    ) async throws(PhotolalaError) -> Int {
        try await set(photos.changes(to: isFavorite), in: Favorites.self)
    }

    /// Hides photos from the portal's page with all photos, or shows them there again. Hidden photos stay in the library:
    /// in lists without a filter, albums, searches, backups and exports. A photo is hidden at all its paths and in all
    /// copies of the library; of changes on several devices the last one wins. Two requests.
    /// - Returns: The number of photos that changed.
    /// - Throws: `catalogUnusable` if the list of hidden photos is damaged, was written by a newer version, or is full.
    @discardableResult
    public func setHidden(
        _ isHidden: Bool, of photos: some Collection<LibraryPhoto>
    ) async throws(PhotolalaError) -> Int {
        try await set(photos.changes(to: isHidden), in: HiddenPhotos.self)
    }

    private func set<Mark>(
        _ changes: [ContentDigest: Bool], in type: PhotoMarks<Mark>.Type
    ) async throws(PhotolalaError) -> Int {
        if changes.isEmpty { return 0 }
        let catalogs = try await writableCatalogs()
        do { return try await catalogs.set(changes, in: type) } catch { throw PhotolalaError(error) }
    }

    /// Returns marks for display, if the selection does not read them. A damaged list must not hide the photos.
    private static func shown<Mark>(
        _ type: PhotoMarks<Mark>.Type, ifNot isSelected: Bool?, _ catalogs: CatalogStore
    ) async -> Set<ContentDigest> {
        guard isSelected == nil, let marks = try? await catalogs.stored(type).document else { return [] }
        return marks.contents
    }

    /// Returns photos of the library, ordered by path.
    /// - Parameter offline: Reads this device's copy of the catalog, without any request.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths; `noCatalogCopy` if this device has no copy.
    public func photos(
        where filter: PhotoFilter = PhotoFilter(), offline: Bool = false
    ) async throws(PhotolalaError) -> LibraryPhotos {
        let (selection, catalogs) = (try filter.checked(), try await catalogs(offline: offline))
        async let shown = Self.shown(Favorites.self, ifNot: selection.isFavorite, catalogs)
        async let shownHidden = Self.shown(HiddenPhotos.self, ifNot: selection.isHidden, catalogs)
        do {
            let found = try await catalogs.select(selection)
            let favorites = if let known = found.favorites { known } else { await shown }
            let hidden = if let known = found.hidden { known } else { await shownHidden }
            return LibraryPhotos(found.entries, favorites: favorites, hidden: hidden)
        } catch {
            if offline, case .catalog = error { throw .incompleteCatalogCopy }
            throw PhotolalaError(error)
        }
    }

    /// Returns photos in the trash, ordered by path; for the same path, the most recently trashed first.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths.
    public func photosInTrash(
        where filter: PhotoFilter = PhotoFilter()
    ) async throws(PhotolalaError) -> LibraryPhotos {
        let (selection, catalogs) = (try filter.checked(), try await catalogs(offline: false))
        async let devices = deviceNames()
        do {
            let found = try await catalogs.select(selection) { $0.trash }
            return LibraryPhotos(
                found.entries.newestOfEachPathFirst, favorites: found.favorites ?? [], hidden: found.hidden ?? [],
                devices: await devices, library: found.entries.catalog.contents)
        } catch {
            throw PhotolalaError(error, in: "trash")
        }
    }

    /// Returns all versions of one photo that the library and the trash have: first the current one and others that are
    /// shown beside it, then replaced and removed ones, the most recently trashed first. To download one,
    /// ``restore(to:where:versions:askingBack:isDryRun:)``; to put one back, ``restoreFromTrash(where:versions:)``.
    /// - Parameter path: The photo's path in the library, or in the trash.
    /// - Throws: `notFound` if no photo is or was at the path, `invalidRequest` if it is a folder.
    public func versions(of path: String) async throws(PhotolalaError) -> LibraryPhotos {
        let catalogs = try await catalogs(offline: false)
        async let devices = deviceNames()
        do {
            let versions = try await catalogs.versions(of: path)
            return LibraryPhotos(versions, devices: await devices)
        } catch {
            throw PhotolalaError(error, in: "library or trash")
        }
    }

    /// Returns the names of the signed-in devices by the tags of their changes, and of their changes in the portal. A
    /// failure must not hide the photos.
    private func deviceNames() async -> [DeviceTag: String] {
        guard let user = try? await session.signedInUserID(),
            let devices = try? await session.limited(to: user).devices()
        else { return [:] }
        var names: [DeviceTag: String] = [:]
        for device in devices {
            names[DeviceTag(serverFor: device.id.description)] = device.name
            names[DeviceTag(deviceID: device.id.description)] = device.name
        }
        // The tag of a copied profile differs from its device's.
        if let current = devices.first(where: \.isCurrent), let tag = try? await session.catalogTag() {
            names[tag] = current.name
        }
        return names
    }

    func catalogs(offline: Bool) async throws(PhotolalaError) -> CatalogStore {
        let (user, store, cache) = try await openCatalog(offline: offline)
        return CatalogStore(store: store, user: user, cache: cache, pause: pause)
    }

    /// Returns the catalog for changes by this device.
    func writableCatalogs() async throws(PhotolalaError) -> CatalogStore {
        let (user, store) = try await open(for: .reading)
        return CatalogStore(store: store, user: user, device: try await session.catalogTag(), pause: pause)
    }
}

extension Collection<LibraryPhoto> {
    /// Returns a change of each content, once.
    func changes(to isMember: Bool) -> [ContentDigest: Bool] {
        Dictionary(compactMap { ContentDigest($0.md5) }.map { ($0, isMember) }, uniquingKeysWith: { first, _ in first })
    }
}
