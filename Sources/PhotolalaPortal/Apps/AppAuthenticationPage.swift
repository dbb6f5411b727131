import Hummingbird
import IdentityProviders
import Localization
import PhotolalaAPI
import UseCases

/// The page that verifies an identity for an app's session, to link it or to re-authenticate. The browser's session is
/// not used. Verification starts only with a press of a button on this page, and each one requires a new sign-in at the
/// provider.
struct AppAuthenticationPage: Sendable {
    let context: PageContext
    /// The issuer in responses (RFC 9207).
    let publicURL: String

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/prove") { request, _ in try showProviders(request) }
        router.get("/prove/{provider}") { request, context in
            try await beginAuthentication(request, at: try ProviderAuthorizationPages.provider(context.parameters))
        }
    }

    private func showProviders(_ request: Request) throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let appRequest: AppAuthentication
        switch try parseRequest(try ProviderAuthorizationPages.query(request), browserRequest) {
        case .failure(let answer): return answer.response
        case .success(let request): appRequest = request
        }
        guard let location = PageLocation("prove?\(request.uri.query ?? "")") else {
            return try invalidRequestPage("the request is longer than 2,000 bytes", browserRequest)
        }
        let (browser, isNew) = context.browser(browserRequest)
        let token = try context.services.formTokens.makeToken(browser, nil)
        let isLink = appRequest.purpose == .link
        let choices = ProviderChoice.all(context.services, for: browserRequest)
            .filter { appRequest.provider == nil || appRequest.provider == $0.name }
            .map { choice in
                choice.button(
                    browserRequest.texts(isLink ? .linkWith : .confirmWith, [.provider: choice.title]),
                    path: "/prove/\(choice.name)?to=\(Form.escaped("\(location)"))&\(Form.tokenField)=\(token)")
            }
        let content: [String: any Sendable] = [
            "title": browserRequest.texts(isLink ? .proveLinkTitle : .confirmTitle),
            "text": browserRequest.texts(isLink ? .proveLinkText : .proveText, [.name: appRequest.app.client.name]),
            "warning": browserRequest.texts(.proveWarning), "ways": choices,
            "back": responseURL(appRequest.app, [("error", "access_denied")]),
            "backTitle": browserRequest.texts(.cancel),
        ]
        return context.storeBrowser(browser, isNew, in: try context.page("confirm", content, browserRequest))
    }

    private func beginAuthentication(_ request: Request, at provider: ProviderName) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let query = try ProviderAuthorizationPages.query(request)
        guard let location = query["to"].flatMap({ PageLocation($0) }), case .authenticateForApp(let raw) = location,
            let parameters = FormParameters(raw.utf8)
        else { throw ServiceError.formOutdated }
        guard let browser = browserRequest.browser else {
            return try context.message(
                browserRequest.texts(.cookiesTitle), browserRequest.texts(.cookiesText),
                [(browserRequest.texts(.tryAgain), location.path)], browserRequest,
                status: .badRequest)
        }
        // The link may come from another site. The page contains a valid one.
        guard (try? context.services.formTokens.check(query[Form.tokenField], browser, nil)) != nil else {
            return context.redirect(to: location.path)
        }
        switch try parseRequest(parameters, browserRequest) {
        case .failure(let answer): return answer.response
        case .success(let appRequest):
            return context.redirect(
                to: try await context.services.appAuthentication.begin(
                    at: provider, for: appRequest, in: browser, returnTo: location.description))
        }
    }

    /// Shows the verified identity before the app receives it. The page contains a link to the app, because a browser
    /// may refuse to follow a provider's form to an app's URI.
    func showResult(_ code: String, _ email: String?, for location: PageLocation, _ browserRequest: BrowserRequest)
        throws
        -> Response
    {
        guard case .authenticateForApp(let raw) = location, let parameters = FormParameters(raw.utf8) else {
            throw ServiceError.formOutdated
        }
        switch try parseRequest(parameters, browserRequest) {
        case .failure(let answer): return answer.response
        case .success(let appRequest):
            let texts = browserRequest.texts
            let name = appRequest.app.client.name
            let text = [email, texts(.provedText, [.name: name])].compactMap { $0 }.joined(separator: " · ")
            return try context.message(
                texts(.provedTitle), text,
                [(texts(.backTo, [.name: name]), responseURL(appRequest.app, [("code", code)]))], browserRequest,
                status: .ok)
        }
    }

    /// A final response in place of the page.
    private struct FailureResponse: Error { let response: Response }

    private func parseRequest(_ query: FormParameters, _ browserRequest: BrowserRequest) throws -> Result<
        AppAuthentication, FailureResponse
    > {
        do throws(AppAuthorizationRequestError) {
            return .success(try context.services.appAuthentication.parse { query[$0] })
        } catch {
            switch error {
            case .invalidClient(let message):
                return .failure(FailureResponse(response: try invalidRequestPage(message, browserRequest)))
            case .refused(let redirectURI, let state, let code, let message):
                let parameters = [("error", code), ("error_description", message)]
                return .failure(
                    FailureResponse(
                        response: context.redirect(
                            to: AppAuthorizationResponse(issuer: publicURL, state: state).redirectURL(
                                redirectURI, parameters))))
            }
        }
    }

    private func invalidRequestPage(_ message: String, _ browserRequest: BrowserRequest) throws -> Response {
        try context.message(
            browserRequest.texts(.refusedTitle), "\(browserRequest.texts(.authorizeWrong)) (\(message))", [],
            browserRequest, status: .badRequest)
    }

    private func responseURL(_ app: AppAuthorizationRequest, _ parameters: [(String, String)]) -> String {
        AppAuthorizationResponse(issuer: publicURL, state: app.state).redirectURL(app.redirectURI, parameters)
    }
}
