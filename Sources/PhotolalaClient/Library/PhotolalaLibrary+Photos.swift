import PhotoCatalog

extension PhotolalaLibrary {
    /// Returns photos of the library, ordered by path.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths.
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

    /// Returns photos in the trash, ordered by path; for the same path, the most recently trashed first.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths.
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
        let (user, store) = try await open(for: .reading)
        return CatalogStore(store: store, user: user, cache: cache(user), pause: pause)
    }
}
