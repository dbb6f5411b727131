extension CatalogStore {
    /// Reads which photos are favorites. One request.
    package func favorites() async throws(CatalogError) -> Favorites { try await stored(Favorites.self).document }

    /// Reads which photos are hidden. One request.
    package func hidden() async throws(CatalogError) -> HiddenPhotos { try await stored(HiddenPhotos.self).document }

    /// Makes contents favorites, or no favorites any more; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    @discardableResult
    package func setFavorites(_ changes: [ContentDigest: Bool]) async throws(CatalogError) -> Int {
        try await set(changes, in: Favorites.self)
    }

    /// Hides contents, or shows them again; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    @discardableResult
    package func setHidden(_ changes: [ContentDigest: Bool]) async throws(CatalogError) -> Int {
        try await set(changes, in: HiddenPhotos.self)
    }

    /// Adds a mark to contents that never had it; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    package func add<Mark>(
        _ contents: Set<ContentDigest>, to type: PhotoMarks<Mark>.Type
    ) async throws(CatalogError) -> Int {
        if contents.isEmpty { return 0 }
        return try await update(type) { marks in marks.add(contents, by: device) }
    }

    /// Adds a mark to contents, or removes it; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    package func set<Mark>(
        _ changes: [ContentDigest: Bool], in type: PhotoMarks<Mark>.Type
    ) async throws(CatalogError) -> Int {
        try await update(type) { marks in marks.set(changes, by: device) }
    }
}
