import PhotoCatalog
import PhotolalaAPI

/// The names under which an account's photos are found.
package struct LibraryNames: Sendable {
    /// An album with the number of its photos.
    package struct NamedAlbum: Sendable {
        package let id: AlbumID
        package let name: AlbumName
        package let count: Int
    }

    /// The largest number of albums, of cities, of cameras and of months.
    static let limit = 500

    /// Changes with each version of the library, the hidden photos and the albums.
    let version: String
    /// The albums, those with the most photos first.
    package let albums: [NamedAlbum]
    package let photos: TimelineNames

    /// The approximate size in memory, in bytes.
    var bytesInMemory: Int { albums.count * 128 + photos.bytesInMemory }
}

extension LibraryService {
    /// Returns the names under which the caller's photos are found, none of photos that are hidden or in the trash. Three
    /// concurrent requests if the library is cached and has not changed; the names are cached with it. Two passes over the
    /// photos otherwise.
    ///
    /// An unusable document hides no photos, or has no albums.
    /// - Throws: The errors of `showLibrary`.
    package func names(_ caller: Caller) async throws(ServiceError) -> LibraryNames {
        let (library, marks, albums) = try await mapServiceErrors {
            async let marks = self.marks(\.hidden, caller)
            async let albums = self.usableAlbums(caller)
            let library = try await showLibrary(caller)
            return (library, try await marks, try await albums)
        }
        let hidden = try? marks.get()
        libraries.store(hidden, as: \.hidden, of: caller.user)
        libraries.store(albums, as: \.albums, of: caller.user)
        let tags = [hidden?.tag, albums?.tag].map { $0?.description ?? "" }
        let version = ([library.name] + tags).joined(separator: "-")
        if let known = libraries.cache.library(of: caller.user)?.names, known.version == version { return known }
        let names = try await readLibrary(caller) { _ in
            let contents = hidden?.document.contents ?? []
            let summaries = try await library.photos.summaries(of: albums?.document.all ?? [])
            let most = summaries.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            return LibraryNames(
                version: version,
                albums: most.prefix(LibraryNames.limit).map {
                    LibraryNames.NamedAlbum(
                        id: $0.element.album.id, name: $0.element.album.name, count: $0.element.count)
                },
                photos: try await library.photos.names(hidden: contents, limit: LibraryNames.limit))
        }
        libraries.store(names, as: \.names, of: caller.user)
        return names
    }

    /// Returns the caller's albums, `nil` if their document is unusable.
    private func usableAlbums(_ caller: Caller) async throws(ServiceError) -> StoredDocument<Albums>? {
        do throws(ServiceError) { return try await document(\.albums, caller) } catch {
            switch error {
            case .catalogDamaged, .catalogUnusable: return nil
            default: throw error
            }
        }
    }
}
