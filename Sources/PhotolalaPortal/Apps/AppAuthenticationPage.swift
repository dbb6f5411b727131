import Hummingbird
import IdentityProviders
import PhotolalaAPI
import UseCases

/// The page that verifies an identity for an app's session, to link it or to re-authenticate. The browser's session is
/// not used. Verification starts only with a press of a button on this page, and each one requires a new sign-in at the
/// provider.
struct AppAuthenticationPage: Sendable {
    let desk: PageContext
    /// The issuer in responses (RFC 9207).
    let publicURL: String

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/prove") { request, _ in try showProviders(request) }
        router.get("/prove/{provider}") { request, context in
            try await beginAuthentication(request, at: try ProviderAuthorizationPages.provider(context.parameters))
        }
    }

    private func showProviders(_ request: Request) throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let asked: AppAuthentication
        switch try parseRequest(try ProviderAuthorizationPages.query(request), visit) {
        case .failure(let answer): return answer.response
        case .success(let request): asked = request
        }
        guard let place = PageLocation("prove?\(request.uri.query ?? "")") else {
            return try invalidRequestPage("the request is longer than 2,000 bytes", visit)
        }
        let (browser, isNew) = desk.browser(visit)
        let token = try desk.services.formTokens.makeToken(browser, nil)
        let isLink = asked.purpose == .link
        let ways = ProviderChoice.all(desk.services, for: visit)
            .filter { asked.provider == nil || asked.provider == $0.name }
            .map { choice in
                [
                    "title": visit.texts(isLink ? .linkWith : .confirmWith, [.provider: choice.title]),
                    "path": "/prove/\(choice.name)?to=\(Form.escaped("\(place)"))&\(Form.tokenField)=\(token)",
                ]
            }
        let content: [String: any Sendable] = [
            "title": visit.texts(isLink ? .proveLinkTitle : .confirmTitle),
            "text": visit.texts(isLink ? .proveLinkText : .proveText, [.name: asked.app.client.name]),
            "warning": visit.texts(.proveWarning), "ways": ways,
            "back": responseURL(asked.app, [("error", "access_denied")]), "backTitle": visit.texts(.cancel),
        ]
        return desk.storeBrowser(browser, isNew, in: try desk.page("confirm", content, visit))
    }

    private func beginAuthentication(_ request: Request, at provider: ProviderName) async throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let query = try ProviderAuthorizationPages.query(request)
        guard let place = query["to"].flatMap({ PageLocation($0) }), case .authenticateForApp(let raw) = place,
            let parameters = FormParameters(raw.utf8)
        else { throw ServiceError.formOutdated }
        guard let browser = visit.browser else {
            return try desk.message(
                visit.texts(.cookiesTitle), visit.texts(.cookiesText), [(visit.texts(.tryAgain), place.path)], visit,
                status: .badRequest)
        }
        // The link may come from another site. The page contains a valid one.
        guard (try? desk.services.formTokens.check(query[Form.tokenField], browser, nil)) != nil else {
            return desk.redirect(to: place.path)
        }
        switch try parseRequest(parameters, visit) {
        case .failure(let answer): return answer.response
        case .success(let asked):
            return desk.redirect(
                to: try await desk.services.appAuthentication.begin(
                    at: provider, for: asked, in: browser, returnTo: place.description))
        }
    }

    /// Shows the verified identity before the app receives it. The page contains a link to the app, because a browser
    /// may refuse to follow a provider's form to an app's URI.
    func showResult(_ code: String, _ email: String?, for place: PageLocation, _ visit: BrowserRequest) throws
        -> Response
    {
        guard case .authenticateForApp(let raw) = place, let parameters = FormParameters(raw.utf8) else {
            throw ServiceError.formOutdated
        }
        switch try parseRequest(parameters, visit) {
        case .failure(let answer): return answer.response
        case .success(let asked):
            let texts = visit.texts
            let name = asked.app.client.name
            let text = [email, texts(.provedText, [.name: name])].compactMap { $0 }.joined(separator: " · ")
            return try desk.message(
                texts(.provedTitle), text,
                [(texts(.backTo, [.name: name]), responseURL(asked.app, [("code", code)]))], visit, status: .ok)
        }
    }

    /// A final response in place of the page.
    private struct FailureResponse: Error { let response: Response }

    private func parseRequest(_ query: FormParameters, _ visit: BrowserRequest) throws -> Result<
        AppAuthentication, FailureResponse
    > {
        do throws(AppAuthorizationRequestError) {
            return .success(try desk.services.appAuthentication.parse { query[$0] })
        } catch {
            switch error {
            case .invalidClient(let words):
                return .failure(FailureResponse(response: try invalidRequestPage(words, visit)))
            case .refused(let redirectURI, let state, let code, let words):
                let parameters = [("error", code), ("error_description", words)]
                return .failure(
                    FailureResponse(
                        response: desk.redirect(
                            to: AppAuthorizationResponse(issuer: publicURL, state: state).redirectURL(
                                redirectURI, parameters))))
            }
        }
    }

    private func invalidRequestPage(_ words: String, _ visit: BrowserRequest) throws -> Response {
        try desk.message(
            visit.texts(.refusedTitle), "\(visit.texts(.authorizeWrong)) (\(words))", [], visit, status: .badRequest)
    }

    private func responseURL(_ app: AppAuthorizationRequest, _ parameters: [(String, String)]) -> String {
        AppAuthorizationResponse(issuer: publicURL, state: app.state).redirectURL(app.redirectURI, parameters)
    }
}
