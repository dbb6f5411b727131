import PhotoCatalog
import PhotolalaAPI

/// The cities of a library's photos, also of the hidden ones, as a search finds them.
package struct LibraryPlaces: Sendable {
    /// The name of the library's version.
    let name: String
    package let timeline: Timeline
    package let places: TimelinePlaces
}

extension LibraryService {
    /// Returns the cities of the caller's photos. One request if the library is cached and has not changed; the cities are
    /// cached with it.
    /// - Throws: The errors of `showLibrary`.
    package func places(_ caller: Caller) async throws(ServiceError) -> LibraryPlaces {
        let library = try await showLibrary(caller)
        if let known = libraries.cache.library(of: caller.user)?.places, known.name == library.name { return known }
        let found = try await readLibrary(caller) { _ in try await library.photos.places() }
        let places = LibraryPlaces(name: library.name, timeline: library.photos, places: found)
        libraries.store(places, as: \.places, of: caller.user)
        return places
    }
}
