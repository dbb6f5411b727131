import PhotoLibrary

extension PhotolalaLibrary {
    /// Photos of the library, in the order of their paths.
    /// - Throws: `notFound` when there is nothing at one of the filter's paths.
    public func photos(
        where filter: PhotoFilter = PhotoFilter()
    ) async throws(PhotolalaError) -> LibraryPhotos {
        let (selection, catalogs) = (try filter.checked(), try await catalogs())
        do {
            return LibraryPhotos(try await catalogs.select(selection).entries)
        } catch {
            throw PhotolalaError(error)
        }
    }

    /// Photos in the trash, in the order of their paths, of one path the last one to go to the trash first.
    /// - Throws: `notFound` when there is nothing at one of the filter's paths.
    public func photosInTrash(
        where filter: PhotoFilter = PhotoFilter()
    ) async throws(PhotolalaError) -> LibraryPhotos {
        let (selection, catalogs) = (try filter.checked(), try await catalogs())
        do {
            return LibraryPhotos(try await catalogs.select(selection) { $0.trash }.entries.newestOfEachPathFirst)
        } catch {
            throw PhotolalaError(error, in: "trash")
        }
    }

    private func catalogs() async throws(PhotolalaError) -> CatalogStore {
        let (user, store) = try await open(for: .looking)
        return CatalogStore(store: store, user: user, cache: cache(user), pause: pause)
    }
}
