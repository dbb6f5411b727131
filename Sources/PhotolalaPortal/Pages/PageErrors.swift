import HTTPTypes
import Hummingbird
import Localization
import Logging
import Monitoring
import PhotolalaAPI
import UseCases

/// Renders every error of a page as a page in the visitor's language, and a 404 for requests from browsers. Everything
/// below, including the rate limits, only throws.
package struct PageErrors<Context: RequestContext>: RouterMiddleware {
    /// The first path segments of pages.
    private static var areas: Set<Substring> {
        [
            "sign-in", "create-account", "no-account", "callback", "account", "library", "authorize", "device", "prove",
            "deletion", "appearance", "s",
        ]
    }
    /// The JSON endpoints within these areas.
    private static var endpoints: [[Substring]] { [["account", "deletion"], ["account", "export"]] }

    let pageContext: PageContext

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let path = request.uri.path.split(separator: "/")
            let isPage =
                path.first.map(Self.areas.contains) == true && !Self.endpoints.contains { path.starts(with: $0) }
            guard isPage || Self.isUnknownAddress(error, in: request) else { throw error }
            let browserRequest = BrowserRequest(request, catalog: pageContext.catalog)
            let refusal = pageContext.refusal(error)
            if let reason = refusal.reason {
                context.logger.log(
                    level: refusal.status.code >= 500 ? .error : .info, .requestRejected, "page request rejected",
                    metadata: ["code": "\(refusal.code.rawValue)", "reason": "\(reason)"]
                )
            }
            if browserRequest.isScript {
                return try errorPage(to: refusal, browserRequest.texts)
            }
            return try await response(to: error, refusal, request, browserRequest)
        }
    }

    /// Returns a page with a message, for a signed-in person with the navigation.
    private func message(
        _ title: TextName, _ text: String, _ option: (title: String, path: String), _ request: Request,
        _ browserRequest: BrowserRequest, status: HTTPResponse.Status
    ) async throws -> Response {
        let title = browserRequest.texts(title)
        // Over a limit, reading the session would be one more request: the navigation is that of any account.
        if status == .tooManyRequests {
            return try pageContext.message(
                title, text, [option], browserRequest, status: status,
                hasNavigation: browserRequest.cookies[.session] != nil)
        }
        if let page = try? await AccountPage(request, pageContext) {
            return try pageContext.message(title, text, [option], page, status: status)
        }
        return try pageContext.message(title, text, [option], browserRequest, status: status)
    }

    /// Returns whether a browser navigated to an unknown address.
    private static func isUnknownAddress(_ error: any Error, in request: Request) -> Bool {
        request.method == .get && (error as? HTTPError)?.status == .notFound
            && request.headers[.accept]?.contains("text/html") == true
    }

    /// Returns an error for a page's own script.
    private func errorPage(to refusal: PortalError, _ texts: LocalizedStrings) throws -> Response {
        var response = try Response(
            json: ScriptError(code: refusal.code, message: Self.text(of: refusal, texts)), status: refusal.status)
        if let retryAfter = refusal.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }

    /// Returns whether a page or a form is of an album, which has been deleted if it is not found.
    private static func isOfAlbum(_ request: Request) -> Bool {
        let path = request.uri.path
        if request.method == .post { return AlbumPages.needsAlbum(path) || path == SharedLinkPages.newPath }
        let parameters = request.uri.queryParameters
        let pages = [Section.photos.path, AlbumPages.editPath, SharedLinkPages.newPath]
        return pages.contains(path) && ["album", "for"].contains { parameters[$0[...]] != nil }
    }

    /// Returns the text of a refusal, for too many requests with the time to wait.
    private static func text(of refusal: PortalError, _ texts: LocalizedStrings) -> String {
        guard refusal.code == .rateLimited, let seconds = refusal.retryAfter else {
            return texts.message(for: refusal.code)
        }
        return texts(.retryAfter, [.duration: texts.wait(seconds)])
    }

    /// Returns the page that a person continues to: of an unknown album, the list of albums.
    private static func advice(
        _ refusal: PortalError, _ request: Request, _ texts: LocalizedStrings
    ) -> (title: String, path: String) {
        let isOfAlbum =
            isOfAlbum(request)
            || request.uri.path.hasPrefix(Section.photos.path) && request.uri.queryParameters["album"] != nil
        guard refusal.code == .notFound, isOfAlbum else { return (texts(.back), PageLocation.of(request).path) }
        // The page has remembered which photos were chosen for the album.
        if request.method == .get, request.uri.queryParameters["for"] != nil {
            return (texts.all[Section.photos.rawValue] ?? "", "\(Section.photos.path)#chosen")
        }
        return (texts.all[Section.albums.rawValue] ?? "", Section.albums.path)
    }

    private func response(
        to error: any Error, _ refusal: PortalError, _ request: Request, _ browserRequest: BrowserRequest
    ) async throws -> Response {
        let texts = browserRequest.texts
        switch error as? ServiceError {
        case .sessionEnded, .unauthorized, .refreshTokenReused:
            let location = PageLocation.of(request)
            // A pending identity is offered only to the person who went from it to the sign-in.
            let destination = location == .pending ? PageLocation.home : location
            return pageContext.redirect(to: SignInPages.path("/sign-in", to: destination))
        case .reauthenticationRequired:
            return pageContext.redirectToReauthentication(to: PageLocation.of(request))
        case .formOutdated:
            return try await message(
                .outdatedTitle, texts(.outdatedText), (texts(.back), PageLocation.of(request).path), request,
                browserRequest, status: refusal.status)
        case .invalidChallenge, .challengeRequired:
            return try pageContext.message(
                texts(.roundEndedTitle), texts(.roundEndedText),
                [(texts(.tryAgain), browserRequest.cookies[.session] == nil ? "/sign-in" : Section.overview.path)],
                browserRequest,
                status: refusal.status)
        default:
            // The browser requests the page again by itself; a form is not sent twice.
            if request.method == .get, refusal.status == .tooManyRequests, let wait = refusal.retryAfter {
                return try pageContext.busy(request, browserRequest, for: wait)
            }
            let isAlbumGone = refusal.code == .notFound && Self.isOfAlbum(request)
            let title: TextName =
                isAlbumGone ? .albumGoneTitle : refusal.code == .notFound ? .notFoundTitle : .refusedTitle
            var response = try await message(
                title, isAlbumGone ? texts(.albumGoneText) : Self.text(of: refusal, texts),
                Self.advice(refusal, request, texts), request, browserRequest, status: refusal.status)
            // The attempt consumed the pending identity, or it is no longer valid.
            if PageLocation.of(request) == .pending { response.removePending() }
            if let retryAfter = refusal.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
            return response
        }
    }
}
