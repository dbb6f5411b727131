import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import Localization
import PhotolalaAPI
import UseCases

/// The authorization endpoint for apps (RFC 6749 section 3.1): names the app and the device and asks for approval. It
/// asks every time, because any program on a machine can open this page in a browser (RFC 8252 section 8.6).
struct AuthorizePage: Sendable {
    let context: PageContext
    /// The issuer in responses (RFC 9207).
    let publicURL: String

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/authorize") { request, _ in try await show(request) }
        router.post("/authorize") { request, _ in try await decide(request) }
    }

    private func show(_ request: Request) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let raw = request.uri.query ?? ""
        let appRequest: AppAuthorizationRequest
        switch try parseRequest(try ProviderAuthorizationPages.query(request), browserRequest) {
        case .failure(let answer): return answer.response
        case .success(let request): appRequest = request
        }
        guard let location = PageLocation("authorize?\(raw)") else {
            return try invalidRequestPage("the request is longer than 2,000 bytes", browserRequest)
        }
        // OpenID Connect Prompt Create 1.0: shows the sign-up page even if the browser is signed in, then continues
        // without the parameter.
        let others = raw.split(separator: "&").filter { $0 != "prompt=create" }.joined(separator: "&")
        guard others == raw else {
            return context.redirect(to: SignInPages.path("/create-account", to: .authorize(query: others)))
        }
        guard let page = try await signedIn(request) else {
            return context.redirect(to: SignInPages.path("/sign-in", to: location))
        }
        let user = try await context.services.account.user(page.caller.user, caller: page.caller)
        // Two accounts may have the same name; the primary sign-in method distinguishes them.
        let link = user.linkedProviders.first { $0.isPrimary }
        let person = [user.displayName, link?.email ?? link.map { context.title(of: $0.provider) }].compactMap { $0 }
        var content: [String: any Sendable] = [
            "title": browserRequest.texts(.authorizeTitle, [.name: appRequest.client.name]),
            "text": browserRequest.texts(.authorizeText, [.name: appRequest.client.name]), "query": raw,
            "formToken": page.formToken,
            "person": person.joined(separator: " · "),
            "another": SignInPages.path("/sign-in", to: location),
        ]
        content["platform"] = DevicePlatform(named: appRequest.devicePlatform)?.title
        return try context.page(
            "authorize", content, browserRequest,
            policy: PagePolicy(formActions: ["'self'", Self.origin(of: appRequest.redirectURI)]))
    }

    private func decide(_ request: Request) async throws -> Response {
        let form = try await Form(request)
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        guard let query = FormParameters((form["query"] ?? "").utf8),
            let location = PageLocation("authorize?\(form["query"] ?? "")")
        else { throw ServiceError.formOutdated }
        guard let page = try await AccountPage.sender(of: form, request, context) else {
            return context.redirect(to: location.path)
        }
        let appRequest: AppAuthorizationRequest
        switch try parseRequest(query, browserRequest) {
        case .failure(let answer): return answer.response
        case .success(let request): appRequest = request
        }
        guard form["allow"] != nil else {
            return redirectToApp(appRequest.redirectURI, appRequest.state, [("error", "access_denied")])
        }
        guard let code = try approve(appRequest, page) else { return context.redirectToReauthentication(to: location) }
        return redirectToApp(appRequest.redirectURI, appRequest.state, [("code", code)])
    }

    /// Returns the redirect for an approved app, or `nil` if the approval requires recent authentication.
    private func approve(_ appRequest: AppAuthorizationRequest, _ page: AccountPage) throws -> String? {
        do throws(ServiceError) {
            return try context.services.appAuthorization.approve(appRequest, caller: page.caller)
        } catch {
            guard error == .reauthenticationRequired else { throw error }
            return nil
        }
    }

    /// Returns `nil` if the browser is not signed in.
    private func signedIn(_ request: Request) async throws -> AccountPage? {
        do {
            return try await AccountPage(request, context)
        } catch ServiceError.unauthorized, ServiceError.sessionEnded {
            return nil
        }
    }

    /// A final response in place of the page.
    private struct FailureResponse: Error { let response: Response }

    private func parseRequest(_ query: FormParameters, _ browserRequest: BrowserRequest) throws -> Result<
        AppAuthorizationRequest, FailureResponse
    > {
        do throws(AppAuthorizationRequestError) {
            return .success(try context.services.appRequests.parse { query[$0] })
        } catch {
            switch error {
            case .invalidClient(let message):
                return .failure(FailureResponse(response: try invalidRequestPage(message, browserRequest)))
            case .refused(let redirectURI, let state, let code, let message):
                return .failure(
                    FailureResponse(
                        response: redirectToApp(redirectURI, state, [("error", code), ("error_description", message)])))
            }
        }
    }

    private func invalidRequestPage(_ message: String, _ browserRequest: BrowserRequest) throws -> Response {
        try context.message(
            browserRequest.texts(.refusedTitle), "\(browserRequest.texts(.authorizeWrong)) (\(message))", [],
            browserRequest, status: .badRequest)
    }

    /// Redirects the browser to the app.
    private func redirectToApp(_ redirectURI: String, _ state: String?, _ parameters: [(String, String)]) -> Response {
        context.redirect(
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
