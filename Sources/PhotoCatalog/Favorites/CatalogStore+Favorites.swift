extension CatalogStore {
    /// Reads which photos are favorites. One request.
    package func favorites() async throws(CatalogError) -> Favorites { try await stored(Favorites.self).document }

    /// Makes contents favorites, or no favorites any more; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    @discardableResult
    package func setFavorites(_ changes: [ContentDigest: Bool]) async throws(CatalogError) -> Int {
        try await update(Favorites.self) { favorites in favorites.set(changes, by: device) }
    }
}
