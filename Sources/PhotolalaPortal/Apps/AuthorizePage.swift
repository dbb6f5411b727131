import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import PhotolalaAPI
import UseCases

/// The authorization endpoint for apps (RFC 6749 section 3.1): names the app and the device and asks for approval. It
/// asks every time, because any program on a machine can open this page in a browser (RFC 8252 section 8.6).
struct AuthorizePage: Sendable {
    let desk: PageContext
    /// The issuer in responses (RFC 9207).
    let publicURL: String

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/authorize") { request, _ in try await show(request) }
        router.post("/authorize") { request, _ in try await decide(request) }
    }

    private func show(_ request: Request) async throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let raw = request.uri.query ?? ""
        let asked: AppAuthorizationRequest
        switch try parseRequest(try ProviderAuthorizationPages.query(request), visit) {
        case .failure(let answer): return answer.response
        case .success(let request): asked = request
        }
        guard let place = PageLocation("authorize?\(raw)") else {
            return try invalidRequestPage("the request is longer than 2,000 bytes", visit)
        }
        // OpenID Connect Prompt Create 1.0: shows the sign-up page even if the browser is signed in, then continues
        // without the parameter.
        let others = raw.split(separator: "&").filter { $0 != "prompt=create" }.joined(separator: "&")
        guard others == raw else {
            return desk.redirect(to: SignInPages.path("/create-account", to: .authorize(query: others)))
        }
        guard let page = try await signedIn(request) else {
            return desk.redirect(to: SignInPages.path("/sign-in", to: place))
        }
        let user = try await desk.services.account.user(page.caller.user, caller: page.caller)
        // Two accounts may have the same name; the primary sign-in method distinguishes them.
        let link = user.linkedProviders.first { $0.isPrimary }
        let person = [user.displayName, link?.email ?? link.map { desk.title(of: $0.provider) }].compactMap { $0 }
        var content: [String: any Sendable] = [
            "title": visit.texts(.authorizeTitle, [.name: asked.client.name]),
            "text": visit.texts(.authorizeText, [.name: asked.client.name]), "query": raw, "formToken": page.formToken,
            "person": person.joined(separator: " · "),
            "another": SignInPages.path("/sign-in", to: place),
        ]
        content["platform"] = DevicePlatform(named: asked.devicePlatform)?.title
        return try desk.page(
            "authorize", content, visit,
            policy: PagePolicy(formActions: ["'self'", Self.origin(of: asked.redirectURI)]))
    }

    private func decide(_ request: Request) async throws -> Response {
        let form = try await Form(request)
        let visit = BrowserRequest(request, catalog: desk.catalog)
        guard let query = FormParameters((form["query"] ?? "").utf8),
            let place = PageLocation("authorize?\(form["query"] ?? "")")
        else { throw ServiceError.formOutdated }
        guard let page = try await AccountPage.sender(of: form, request, desk) else {
            return desk.redirect(to: place.path)
        }
        let asked: AppAuthorizationRequest
        switch try parseRequest(query, visit) {
        case .failure(let answer): return answer.response
        case .success(let request): asked = request
        }
        guard form["allow"] != nil else {
            return redirectToApp(asked.redirectURI, asked.state, [("error", "access_denied")])
        }
        guard let code = try approve(asked, page) else { return desk.redirectToReauthentication(to: place) }
        return redirectToApp(asked.redirectURI, asked.state, [("code", code)])
    }

    /// Returns the redirect for an approved app, or `nil` if the approval requires recent authentication.
    private func approve(_ asked: AppAuthorizationRequest, _ page: AccountPage) throws -> String? {
        do throws(ServiceError) {
            return try desk.services.appAuthorization.approve(asked, caller: page.caller)
        } catch {
            guard error == .reauthenticationRequired else { throw error }
            return nil
        }
    }

    /// Returns `nil` if the browser is not signed in.
    private func signedIn(_ request: Request) async throws -> AccountPage? {
        do {
            return try await AccountPage(request, desk)
        } catch ServiceError.unauthorized, ServiceError.sessionEnded {
            return nil
        }
    }

    /// A final response in place of the page.
    private struct FailureResponse: Error { let response: Response }

    private func parseRequest(_ query: FormParameters, _ visit: BrowserRequest) throws -> Result<
        AppAuthorizationRequest, FailureResponse
    > {
        do throws(AppAuthorizationRequestError) {
            return .success(try desk.services.appRequests.parse { query[$0] })
        } catch {
            switch error {
            case .invalidClient(let words):
                return .failure(FailureResponse(response: try invalidRequestPage(words, visit)))
            case .refused(let redirectURI, let state, let code, let words):
                return .failure(
                    FailureResponse(
                        response: redirectToApp(redirectURI, state, [("error", code), ("error_description", words)])))
            }
        }
    }

    private func invalidRequestPage(_ words: String, _ visit: BrowserRequest) throws -> Response {
        try desk.message(
            visit.texts(.refusedTitle), "\(visit.texts(.authorizeWrong)) (\(words))", [], visit, status: .badRequest)
    }

    /// Redirects the browser to the app.
    private func redirectToApp(_ redirectURI: String, _ state: String?, _ parameters: [(String, String)]) -> Response {
        desk.redirect(
            to: AppAuthorizationResponse(issuer: publicURL, state: state).redirectURL(redirectURI, parameters))
    }

    /// Returns the redirect target as a Content Security Policy source: browsers apply `form-action` to redirects too.
    /// Policies cannot contain IPv6 addresses.
    private static func origin(of uri: String) -> String {
        let scheme = uri.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme), !uri.hasPrefix("http://[") else { return "\(scheme):" }
        return uri.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }
}
