import Hummingbird
import PhotoCatalog

/// The answer to a form that a page's script sent to change photos.
struct ChangedPhotos: Encodable {
    /// The number of photos of the form that the library does not have.
    let missing: Int

    static func response(
        _ photos: Set<ContentDigest>, _ page: AccountPage, _ context: PageContext
    ) async throws -> Response {
        let known = try await context.services.library.libraryPhotos(photos, page.caller)
        return try Response(json: ChangedPhotos(missing: photos.count - known.count))
    }
}
