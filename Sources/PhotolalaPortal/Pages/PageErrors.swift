import HTTPTypes
import Hummingbird
import Logging
import PhotolalaAPI
import UseCases

/// Renders every error of a page as a page in the visitor's language, and a 404 for requests from browsers. Everything
/// below, including the rate limits, only throws.
package struct PageErrors<Context: RequestContext>: RouterMiddleware {
    /// The first path segments of pages.
    private static var areas: Set<Substring> {
        ["sign-in", "create-account", "no-account", "callback", "account", "library", "authorize", "device", "prove"]
    }

    let desk: PageContext

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let isPage = Self.areas.contains(request.uri.path.drop { $0 == "/" }.prefix { $0 != "/" })
            guard isPage || Self.isUnknownAddress(error, in: request) else { throw error }
            let visit = BrowserRequest(request, catalog: desk.catalog)
            let refusal = desk.refusal(error)
            if let reason = refusal.reason {
                context.logger.log(
                    level: refusal.status.code >= 500 ? .error : .info, "page request rejected",
                    metadata: ["code": "\(refusal.code.rawValue)", "reason": "\(reason)"]
                )
            }
            if request.headers[.accept] == "application/json" { return try errorPage(to: refusal, visit.texts) }
            return try response(to: error, refusal, request, visit)
        }
    }

    /// Returns whether a browser navigated to an unknown address.
    private static func isUnknownAddress(_ error: any Error, in request: Request) -> Bool {
        request.method == .get && (error as? HTTPError)?.status == .notFound
            && request.headers[.accept]?.contains("text/html") == true
    }

    /// Returns an error for a page's own script.
    private func errorPage(to refusal: PortalError, _ texts: LocalizedStrings) throws -> Response {
        var response = try Response(
            json: ScriptError(code: refusal.code, message: texts.message(for: refusal.code)), status: refusal.status)
        if let retryAfter = refusal.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }

    private func response(
        to error: any Error, _ refusal: PortalError, _ request: Request, _ visit: BrowserRequest
    ) throws -> Response {
        let texts = visit.texts
        switch error as? ServiceError {
        case .sessionEnded, .unauthorized, .refreshTokenReused:
            let place = PageLocation.of(request)
            // A pending identity is offered only to the person who went from it to the sign-in.
            return desk.redirect(to: SignInPages.path("/sign-in", to: place == .pending ? .account : place))
        case .reauthenticationRequired:
            return desk.redirectToReauthentication(to: PageLocation.of(request))
        case .formOutdated:
            return try desk.message(
                texts(.outdatedTitle), texts(.outdatedText), [(texts(.back), PageLocation.of(request).path)], visit,
                status: refusal.status)
        case .invalidChallenge, .challengeRequired:
            return try desk.message(
                texts(.roundEndedTitle), texts(.roundEndedText),
                [(texts(.tryAgain), visit.cookies[.session] == nil ? "/sign-in" : Section.account.path)], visit,
                status: refusal.status)
        default:
            var response = try desk.message(
                texts(refusal.code == .notFound ? .notFoundTitle : .refusedTitle), texts.message(for: refusal.code),
                [(texts(.back), PageLocation.of(request).path)], visit,
                status: refusal.status)
            // The attempt consumed the pending identity, or it is no longer valid.
            if PageLocation.of(request) == .pending { response.removePending() }
            if let retryAfter = refusal.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
            return response
        }
    }
}
