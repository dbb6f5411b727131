import Accounts
import Foundation
import Hummingbird
import IdentityProviders
import NIOCore
import PhotolalaAPI
import UseCases

/// Sends browsers to providers and handles their return. Every act that needs a provider uses these routes.
struct ProviderAuthorizationPages: Sendable {
    let desk: PageContext
    let prove: AppAuthenticationPage

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        mountAuthorization("/sign-in/{provider}", .signin, on: router)
        mountAuthorization("/create-account/{provider}", .signup, on: router)
        router.head("/callback/{provider}") { _, _ in
            Response(status: .methodNotAllowed, headers: [.allow: "GET, POST"])
        }
        router.get("/callback/{provider}") { request, context in
            try await handleCallback(request, to: try Self.provider(context.parameters))
        }
        router.post("/callback/{provider}") { request, context in
            try await redirectFormPost(request, for: try Self.provider(context.parameters))
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
        router.get(path) { request, context in
            let visit = BrowserRequest(request, catalog: desk.catalog)
            let provider = try Self.provider(context.parameters)
            let page = purpose == .signup ? "/create-account" : "/sign-in"
            let query = try Self.query(request)
            let place = query["to"].flatMap { PageLocation($0) } ?? .account
            guard visit.browser != nil || query[Form.tokenField] == nil else {
                return try desk.message(
                    visit.texts(.cookiesTitle), visit.texts(.cookiesText), [(visit.texts(.tryAgain), page)], visit,
                    status: .badRequest)
            }
            // The link may be old or come from another site. The page contains a valid one.
            guard let browser = visit.browser, (try? check(query, browser, nil)) != nil else {
                return desk.redirect(to: SignInPages.path(page, to: place))
            }
            return desk.redirect(
                to: try await desk.services.providerAuthorizations.begin(
                    at: provider, for: purpose, in: browser, caller: nil, returnTo: place.description))
        }
    }

    static func query(_ request: Request) throws(ServiceError) -> FormParameters {
        guard let query = FormParameters((request.uri.query ?? "").utf8) else {
            throw .invalidRequest("malformed or repeated query parameter")
        }
        return query
    }

    func check(_ query: FormParameters, _ browser: Browser?, _ caller: Caller?) throws(ServiceError) {
        try desk.services.formTokens.check(query[Form.tokenField], browser, caller)
    }

    /// Receives a provider's form post, for which browsers send no cookies. Seals its content into the URL of the
    /// request that follows.
    private func redirectFormPost(_ request: Request, for provider: ProviderName) async throws -> Response {
        guard desk.services.providerAuthorizations.all.contains(where: { $0.provider == provider && $0.usesFormPost })
        else {
            throw ServiceError.notFound
        }
        let form = try await Form(request)
        guard let state = form["state"], state.utf8.count <= SealedBrowserStates.maximumStateLength,
            form["code"]?.utf8.count ?? 0 <= 1024
        else {
            throw ServiceError.invalidChallenge(.notAuthentic)
        }
        let answer = ProviderAuthorizationResponse(
            state: state, code: form["code"], error: form["error"], issuer: form["iss"],
            name: form["user"].flatMap(AppleUser.name)
        )
        return desk.redirect(
            to: "/callback/\(provider)?answer=\(try desk.services.providerAuthorizations.sealResponse(answer))")
    }

    private func handleCallback(_ request: Request, to provider: ProviderName) async throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let query = try Self.query(request)
        let answer: ProviderAuthorizationResponse
        if let parked = query["answer"] {
            answer = try desk.services.providerAuthorizations.openResponse(parked)
        } else {
            answer = ProviderAuthorizationResponse(
                state: query["state"] ?? "", code: query["code"], error: query["error"], issuer: query["iss"], name: nil
            )
        }
        let round = try desk.services.providerAuthorizations.request(of: answer, at: provider, in: visit.browser)
        return try await completeAuthorization(round, answer, visit)
    }

    private func completeAuthorization(
        _ round: ProviderAuthorizationRequest, _ answer: ProviderAuthorizationResponse, _ visit: BrowserRequest
    ) async throws -> Response {
        guard let browser = visit.browser else { throw ServiceError.invalidChallenge(.notAuthentic) }
        let place = PageLocation(round.returnTo) ?? .account
        var caller: Caller?
        if round.user != nil {
            guard let cookie = visit.cookies[.session] else { throw ServiceError.sessionEnded }
            caller = try await desk.services.authenticator.authenticate(
                browserCookie: cookie, for: round.purpose == .reauthenticate ? .protection : .general)
        }
        do {
            switch try await desk.services.browserSignIn.completeAuthorization(
                round, with: answer, in: browser, caller: caller, cookie: visit.cookies[.session])
            {
            case .signedIn(let cookie, let expiresAt):
                return try await finishSignIn(cookie, until: expiresAt, with: round.provider, to: place, visit)
            case .done: return desk.redirect(to: place.path)
            case .authenticated(let code, let email): return try prove.showResult(code, email, for: place, visit)
            case .cancelled: return try cancelledPage(from: round, to: place, visit)
            }
        } catch ServiceError.noAccountFound(let identity) {
            var response = desk.redirect(to: "/no-account/\(identity.provider)")
            response.set(PendingCookie(identity, to: place))
            return response
        } catch ServiceError.accountAlreadyExists {
            return try accountExistsPage(round.provider, browser, visit, to: place)
        } catch ServiceError.invalidToken where round.purpose == .reauthenticate {
            return try desk.message(
                visit.texts(.refusedTitle), visit.texts(.wrongIdentity),
                [(visit.texts(.tryAgain), "/account/confirm?to=\(Form.escaped("\(place)"))")], visit, status: .forbidden
            )
        }
    }

    private func accountExistsPage(
        _ provider: ProviderName, _ browser: Browser, _ visit: BrowserRequest, to place: PageLocation
    ) throws -> Response {
        let (texts, title) = (visit.texts, desk.title(of: provider))
        let token = try desk.services.formTokens.makeToken(browser, nil)
        let way = "/sign-in/\(provider)?to=\(Form.escaped("\(place)"))&\(Form.tokenField)=\(token)"
        return try desk.message(
            texts(.existsTitle), texts(.existsText, [.provider: title]),
            [(texts(.signInWith, [.provider: title]), way)], visit, status: .conflict)
    }

    private func cancelledPage(
        from round: ProviderAuthorizationRequest, to place: PageLocation, _ visit: BrowserRequest
    ) throws -> Response {
        let way =
            switch round.purpose {
            case .signin, .continue: SignInPages.path("/sign-in", to: place)
            case .signup: SignInPages.path("/create-account", to: place)
            case .link, .reauthenticate: place.path
            }
        let texts = visit.texts
        return try desk.message(
            texts(.turnedBackTitle), texts(.turnedBackText, [.provider: desk.title(of: round.provider)]),
            [(texts(.tryAgain), way)], visit, status: .ok)
    }

    private func createFromPending(_ request: Request) async throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let form = try await Form(request)
        try desk.services.formTokens.check(form[Form.tokenField], visit.browser, nil)
        guard let browser = visit.browser else { throw ServiceError.formOutdated }
        let pending = try PendingCookie.selected(by: form, in: visit)
        let opened: (cookie: String, expiresAt: Date)
        do {
            opened = try await desk.services.browserSignIn.signUp(pendingIdentity: pending.sealed, in: browser)
        } catch ServiceError.accountAlreadyExists {
            var response = try accountExistsPage(pending.provider, browser, visit, to: pending.location)
            response.removePending()
            return response
        }
        return try await finishSignIn(
            opened.cookie, until: opened.expiresAt, with: pending.provider, to: pending.location, visit)
    }

    /// Stores the new session in the browser. Ends the previous session of this browser.
    private func finishSignIn(
        _ cookie: String, until end: Date, with provider: ProviderName, to place: PageLocation, _ visit: BrowserRequest
    ) async throws -> Response {
        if let old = visit.cookies[.session] {
            // The new session does not depend on it.
            do { try await desk.services.sessions.signOut(browserCookie: old) } catch {
                desk.services.logger.notice(
                    "failed to end the previous browser session", metadata: ["reason": "\(error)"])
            }
        }
        var response = desk.redirect(to: place.path)
        let seconds = Int(end.timeIntervalSince(desk.services.now()))
        response.set(.session, to: cookie, for: max(1, seconds))
        response.set(.provider, to: provider.description, for: 400 * 86_400)
        // Drops a pending identity that this sign-in did not ask for: it may belong to another person.
        if place != .pending { response.removePending() }
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
