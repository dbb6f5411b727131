import HTTPTypes
import Hummingbird
import UseCases

/// Refuses forms that a page of another origin sends. Each form needs its token as well: old browsers send neither field,
/// and a page without referrers sends `Origin: null`.
struct FormOriginCheck<Context: RequestContext>: RouterMiddleware {
    /// The server's URL, without a trailing slash.
    let publicURL: String

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Providers send their answers as forms. They have a state of this browser.
        if request.method == .post, !request.uri.path.hasPrefix("/callback/"), isForeign(request) {
            throw ServiceError.formOutdated
        }
        return try await next(request, context)
    }

    private func isForeign(_ request: Request) -> Bool {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        if let site, !["same-origin", "none"].contains(site) { return true }
        guard let origin = request.headers[.origin]?.lowercased(), origin != "null" else { return false }
        let authority = request.head.authority?.lowercased() ?? ""
        // A proxy may have changed the host.
        return ![publicURL.lowercased(), "https://\(authority)", "http://\(authority)"].contains(origin)
    }
}
