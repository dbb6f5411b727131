import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// Favorites and the version of the document from which they were read.
    package struct StoredFavorites: Sendable {
        package let favorites: Favorites
        /// `nil` if there is no document.
        package let tag: ETag?
    }

    /// Reads which photos are favorites. One request.
    package func favorites() async throws(CatalogError) -> Favorites { try await readFavorites().favorites }

    /// Reads the favorites and the version of their document. One request.
    package func storedFavorites() async throws(CatalogError) -> StoredFavorites { try await readFavorites() }

    /// Returns whether the favorites have not changed since they were read. One request.
    package func isCurrent(_ known: StoredFavorites) async throws(CatalogError) -> Bool {
        do throws(ObjectStoreError) { return try await store.head(favoritesKey)?.etag == known.tag } catch {
            throw .store(error)
        }
    }

    /// Makes contents favorites, or no favorites any more; writes nothing if nothing changes.
    /// - Returns: The number of contents that changed.
    @discardableResult
    package func setFavorites(_ changes: [ContentDigest: Bool]) async throws(CatalogError) -> Int {
        // A write whose response was lost may have been done.
        var unconfirmed = 0
        for attempt in 1...Self.attempts {
            let stored = try await readFavorites()
            var after = stored.favorites
            after.set(changes, by: device)
            let changed = changes.count { stored.favorites.contains($0.key) != $0.value }
            if changed == 0 { return unconfirmed }
            guard after.count <= Favorites.limit else { throw .full }
            do throws(ObjectStoreError) {
                try await store.put(favoritesKey, after.bytes, if: stored.tag.map { .matches($0) } ?? .absent)
                return changed
            } catch {
                // Another device was first, or the response was lost: the next attempt finds out.
                guard [.preconditionFailed, .conflict].contains(error) || error.isOutcomeUnknown else {
                    throw .store(error)
                }
                if error.isOutcomeUnknown { unconfirmed = changed }
            }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    private var favoritesKey: ObjectKey { ObjectKey(known: StorageLayout.favorites(user)) }

    private func readFavorites() async throws(CatalogError) -> StoredFavorites {
        let found: StoredObject?
        do { found = try await store.get(favoritesKey, limit: Favorites.sizeLimit) } catch {
            switch error {
            case .tooLarge, .corrupted: throw .favoritesDamaged
            default: throw .store(error)
            }
        }
        let favorites = try found.map { found throws(CatalogError) in try Favorites(found.bytes) } ?? Favorites()
        await cache?.write(.favorites, found?.bytes)
        return StoredFavorites(favorites: favorites, tag: found?.etag)
    }
}

extension ObjectStoreError {
    fileprivate var isOutcomeUnknown: Bool { if case .outcomeUnknown = self { true } else { false } }
}
