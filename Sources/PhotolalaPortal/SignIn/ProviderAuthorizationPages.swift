import Accounts
import Foundation
import Hummingbird
import IdentityProviders
import Localization
import Monitoring
import NIOCore
import PhotolalaAPI
import UseCases

/// Sends browsers to providers and handles their return. Every act that needs a provider uses these routes.
struct ProviderAuthorizationPages: Sendable {
    let context: PageContext
    let appAuthentication: AppAuthenticationPage

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        mountAuthorization("/sign-in/{provider}", .signin, on: router)
        mountAuthorization("/create-account/{provider}", .signup, on: router)
        router.head("/callback/{provider}") { _, _ in
            Response(status: .methodNotAllowed, headers: [.allow: "GET, POST"])
        }
        router.get("/callback/{provider}") { request, requestContext in
            try await handleCallback(request, to: try Self.provider(requestContext.parameters))
        }
        router.post("/callback/{provider}") { request, requestContext in
            try await redirectFormPost(request, for: try Self.provider(requestContext.parameters))
        }
        router.post("/create-account") { request, _ in try await createFromPending(request) }
    }

    static func provider(_ parameters: Parameters) throws(ServiceError) -> ProviderName {
        guard let name = parameters.get("provider").flatMap({ ProviderName($0) }) else { throw .notFound }
        return name
    }

    private func mountAuthorization<Context: RequestContext>(
        _ path: RouterPath, _ purpose: ChallengePurpose, on router: RouterGroup<Context>
    ) {
        router.get(path) { request, requestContext in
            let browserRequest = BrowserRequest(request, catalog: context.catalog)
            let provider = try Self.provider(requestContext.parameters)
            let page = purpose == .signup ? "/create-account" : "/sign-in"
            let query = try Self.query(request)
            let location = query["to"].flatMap { PageLocation($0) } ?? .home
            guard browserRequest.browser != nil || query[Form.tokenField] == nil else {
                return try context.message(
                    browserRequest.texts(.cookiesTitle), browserRequest.texts(.cookiesText),
                    [(browserRequest.texts(.tryAgain), page)], browserRequest,
                    status: .badRequest)
            }
            // The link may be old or come from another site. The page contains a valid one.
            guard let browser = browserRequest.browser, (try? check(query, browser, nil)) != nil else {
                return context.redirect(to: SignInPages.path(page, to: location))
            }
            return context.redirect(
                to: try await context.services.providerAuthorizations.begin(
                    at: provider, for: purpose, in: browser, caller: nil, returnTo: location.description))
        }
    }

    static func query(_ request: Request) throws(ServiceError) -> FormParameters {
        try query(request.uri.query ?? "")
    }

    static func query(_ text: String) throws(ServiceError) -> FormParameters {
        guard let query = FormParameters(text.utf8) else {
            throw .invalidRequest("malformed or repeated query parameter")
        }
        return query
    }

    func check(_ query: FormParameters, _ browser: Browser?, _ caller: Caller?) throws(ServiceError) {
        try context.services.formTokens.check(query[Form.tokenField], browser, caller)
    }

    /// Receives a provider's form post, for which browsers send no cookies. Seals its content into the URL of the
    /// request that follows.
    private func redirectFormPost(_ request: Request, for provider: ProviderName) async throws -> Response {
        guard
            context.services.providerAuthorizations.all.contains(where: { $0.provider == provider && $0.usesFormPost })
        else {
            throw ServiceError.notFound
        }
        let form = try await Form(request)
        guard let state = form["state"], state.utf8.count <= SealedBrowserStates.maximumStateLength,
            form["code"]?.utf8.count ?? 0 <= 1024
        else {
            throw ServiceError.invalidChallenge(.notAuthentic)
        }
        let providerResponse = ProviderAuthorizationResponse(
            state: state, code: form["code"], error: form["error"], issuer: form["iss"],
            name: form["user"].flatMap(AppleUser.name)
        )
        return context.redirect(
            to:
                "/callback/\(provider)?answer=\(try context.services.providerAuthorizations.sealResponse(providerResponse))"
        )
    }

    private func handleCallback(_ request: Request, to provider: ProviderName) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let query = try Self.query(request)
        let providerResponse: ProviderAuthorizationResponse
        if let sealed = query["answer"] {
            providerResponse = try context.services.providerAuthorizations.openResponse(sealed)
        } else {
            providerResponse = ProviderAuthorizationResponse(
                state: query["state"] ?? "", code: query["code"], error: query["error"], issuer: query["iss"], name: nil
            )
        }
        let authorizationRequest = try context.services.providerAuthorizations.request(
            of: providerResponse, at: provider, in: browserRequest.browser)
        return try await completeAuthorization(authorizationRequest, providerResponse, browserRequest)
    }

    private func completeAuthorization(
        _ authorizationRequest: ProviderAuthorizationRequest, _ providerResponse: ProviderAuthorizationResponse,
        _ browserRequest: BrowserRequest
    ) async throws -> Response {
        guard let browser = browserRequest.browser else { throw ServiceError.invalidChallenge(.notAuthentic) }
        let location = PageLocation(authorizationRequest.returnTo) ?? .home
        var caller: Caller?
        if authorizationRequest.user != nil {
            guard let cookie = browserRequest.cookies[.session] else { throw ServiceError.sessionEnded }
            caller = try await context.services.authenticator.authenticate(
                browserCookie: cookie, for: authorizationRequest.purpose == .reauthenticate ? .protection : .general)
        }
        do {
            switch try await context.services.browserSignIn.completeAuthorization(
                authorizationRequest, with: providerResponse, in: browser, caller: caller,
                cookie: browserRequest.cookies[.session])
            {
            case .signedIn(let cookie, let expiresAt):
                return try await finishSignIn(
                    cookie, until: expiresAt, with: authorizationRequest.provider, to: location, browserRequest)
            case .done: return context.redirect(to: location.path)
            case .authenticated(let code, let email):
                return try appAuthentication.showResult(code, email, for: location, browserRequest)
            case .cancelled: return try cancelledPage(from: authorizationRequest, to: location, browserRequest)
            }
        } catch ServiceError.noAccountFound(let identity) {
            var response = context.redirect(to: "/no-account/\(identity.provider)")
            response.set(PendingCookie(identity, to: location))
            return response
        } catch ServiceError.accountAlreadyExists {
            return try accountExistsPage(authorizationRequest.provider, browser, browserRequest, to: location)
        } catch ServiceError.providerAlreadyLinked {
            return try context.linkBlockedPage(authorizationRequest.provider, browserRequest)
        } catch ServiceError.invalidToken where authorizationRequest.purpose == .reauthenticate {
            return try context.message(
                browserRequest.texts(.refusedTitle), browserRequest.texts(.wrongIdentity),
                [(browserRequest.texts(.tryAgain), "/account/confirm?to=\(Form.escaped("\(location)"))")],
                browserRequest, status: .forbidden
            )
        }
    }

    private func accountExistsPage(
        _ provider: ProviderName, _ browser: Browser, _ browserRequest: BrowserRequest, to location: PageLocation
    ) throws -> Response {
        let (texts, title) = (browserRequest.texts, context.title(of: provider))
        let token = try context.services.formTokens.makeToken(browser, nil)
        let way = "/sign-in/\(provider)?to=\(Form.escaped("\(location)"))&\(Form.tokenField)=\(token)"
        return try context.message(
            texts(.existsTitle), texts(.existsText, [.provider: title]),
            [(texts(.signInWith, [.provider: title]), way)], browserRequest, status: .conflict)
    }

    private func cancelledPage(
        from authorizationRequest: ProviderAuthorizationRequest, to location: PageLocation,
        _ browserRequest: BrowserRequest
    ) throws -> Response {
        let way =
            switch authorizationRequest.purpose {
            case .signin, .continue: SignInPages.path("/sign-in", to: location)
            case .signup: SignInPages.path("/create-account", to: location)
            case .link, .reauthenticate: location.path
            }
        let texts = browserRequest.texts
        return try context.message(
            texts(.turnedBackTitle),
            texts(.turnedBackText, [.provider: context.title(of: authorizationRequest.provider)]),
            [(texts(.tryAgain), way)], browserRequest, status: .ok)
    }

    private func createFromPending(_ request: Request) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let form = try await Form(request)
        try context.services.formTokens.check(form[Form.tokenField], browserRequest.browser, nil)
        guard let browser = browserRequest.browser else { throw ServiceError.formOutdated }
        let pending = try PendingCookie.selected(by: form, in: browserRequest)
        let opened: (cookie: String, expiresAt: Date)
        do {
            opened = try await context.services.browserSignIn.signUp(pendingIdentity: pending.sealed, in: browser)
        } catch ServiceError.accountAlreadyExists {
            var response = try accountExistsPage(pending.provider, browser, browserRequest, to: pending.location)
            response.removePending()
            return response
        }
        return try await finishSignIn(
            opened.cookie, until: opened.expiresAt, with: pending.provider, to: pending.location, browserRequest)
    }

    /// Stores the new session in the browser. Ends the previous session of this browser.
    private func finishSignIn(
        _ cookie: String, until end: Date, with provider: ProviderName, to location: PageLocation,
        _ browserRequest: BrowserRequest
    ) async throws -> Response {
        if let old = browserRequest.cookies[.session] {
            // The new session does not depend on it.
            do { try await context.services.sessions.signOut(browserCookie: old) } catch {
                context.services.logger.notice(
                    .previousSessionNotEnded, "failed to end the previous browser session",
                    metadata: ["reason": "\(error)"])
            }
        }
        var response = context.redirect(to: location.path)
        let seconds = Int(end.timeIntervalSince(context.services.now()))
        response.set(.session, to: cookie, for: max(1, seconds))
        response.set(.provider, to: provider.description, for: 400 * 86_400)
        // The choice was that of the session before.
        if browserRequest.cookies[.offline] != nil { response.remove(.offline) }
        // Drops a pending identity that this sign-in did not ask for: it may belong to another person.
        if location != .pending { response.removePending() }
        return response
    }
}

/// The user data that Apple posts once, at the first authorization.
enum AppleUser {
    private struct User: Decodable {
        struct Name: Decodable {
            let firstName: String?
            let lastName: String?
        }
        let name: Name?
    }

    /// Returns the full name, or `nil` if there is none.
    static func name(_ json: String) -> String? {
        guard json.utf8.count <= 4096, let user = try? JSONDecoder().decode(User.self, from: Data(json.utf8)) else {
            return nil
        }
        let name = [user.name?.firstName, user.name?.lastName].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: " ")
        return name.isEmpty ? nil : String(name.unicodeScalars.prefix(200))
    }
}
