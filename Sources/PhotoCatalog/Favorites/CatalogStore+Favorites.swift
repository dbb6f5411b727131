import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// Reads which photos are favorites. One request.
    package func favorites() async throws(CatalogError) -> Favorites { try await readFavorites().favorites }

    /// Makes contents favorites, or no favorites any more; writes nothing if nothing changes.
    package func setFavorites(_ changes: [ContentDigest: Bool]) async throws(CatalogError) {
        for attempt in 1...Self.attempts {
            let (before, tag) = try await readFavorites()
            var after = before
            after.set(changes, by: device)
            if after == before { return }
            guard after.count <= Favorites.limit else { throw .full }
            do throws(ObjectStoreError) {
                try await store.put(favoritesKey, after.bytes, if: tag.map { .matches($0) } ?? .absent)
                return
            } catch {
                // Another device was first, or the response was lost: the next attempt finds out.
                guard [.preconditionFailed, .conflict].contains(error) || error.isOutcomeUnknown else {
                    throw .store(error)
                }
            }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    private var favoritesKey: ObjectKey { ObjectKey(known: StorageLayout.favorites(user)) }

    private func readFavorites() async throws(CatalogError) -> (favorites: Favorites, tag: ETag?) {
        let found: StoredObject?
        do { found = try await store.get(favoritesKey, limit: Favorites.sizeLimit) } catch {
            switch error {
            case .tooLarge, .corrupted: throw .favoritesDamaged
            default: throw .store(error)
            }
        }
        let favorites = try found.map { found throws(CatalogError) in try Favorites(found.bytes) } ?? Favorites()
        await cache?.write(.favorites, found?.bytes)
        return (favorites, found?.etag)
    }
}

extension ObjectStoreError {
    fileprivate var isOutcomeUnknown: Bool { if case .outcomeUnknown = self { true } else { false } }
}
