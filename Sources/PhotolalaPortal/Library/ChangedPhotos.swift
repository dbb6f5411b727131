import Hummingbird
import PhotoCatalog

/// The answer to a form that a page's script sent to change photos.
struct ChangedPhotos: Encodable {
    /// The number of photos of the form that the library does not have.
    let missing: Int
    /// The path of the page to which a browser that sent the form is redirected.
    let page: String

    /// Returns the answer for a script, or redirects a browser to a page.
    static func response(
        _ photos: Set<ContentDigest>, to path: String, _ page: AccountPage, _ context: PageContext
    ) async throws -> Response {
        guard page.browserRequest.isScript else { return context.redirect(to: path) }
        let known = try await context.services.library.libraryPhotos(photos, page.caller)
        var response = try Response(json: ChangedPhotos(missing: photos.count - known.count, page: path))
        response.permitReport(at: path)
        return response
    }
}
