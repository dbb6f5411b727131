import Hummingbird
import IdentityProviders
import PhotoCatalog
import UseCases

/// A visitor's request for something that a shared link shows.
struct SharedVisit: Sendable {
    let browserRequest: BrowserRequest
    let photos: SharedPhotos
    let paths: SharedPaths
    let query: FormParameters

    /// The cookie that opens a link with a password. Sent only to the pages of the link, because of its path.
    static let passCookie = "__Secure-photolala-pass"

    /// The token in a request's path.
    static func token(_ context: some RequestContext) -> String { context.parameters.get("token") ?? "" }

    /// - Throws: `notFound` if the link does not open, also for want of its password.
    init(_ request: Request, _ requestContext: some RequestContext, _ context: PageContext) async throws {
        browserRequest = BrowserRequest(request, catalog: context.catalog)
        query = try ProviderAuthorizationPages.query(request)
        let token = Self.token(requestContext)
        paths = SharedPaths(token: token)
        let opening = try await context.services.sharedLinkVisits.open(
            token, pass: request.cookies[Self.passCookie]?.value)
        guard case .photos(let photos) = opening else { throw ServiceError.notFound }
        self.photos = photos
    }

    /// The index of the photo that the query names.
    /// - Throws: `notFound` if the link does not show it.
    func index() throws(ServiceError) -> Int {
        guard let index = query["id"].flatMap({ ContentDigest($0) }).flatMap({ photos.timeline.index(of: $0) }) else {
            throw .notFound
        }
        return index
    }
}
