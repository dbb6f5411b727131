import Hummingbird
import PhotolalaAPI
import UseCases

/// The pages Welcome, Sign in and Create account, and the page for an identity without an account.
struct SignInPages: Sendable {
    let desk: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/") { request, _ in try await welcome(request) }
        router.get("/sign-in") { request, _ in try choices(request, .signIn) }
        router.get("/create-account") { request, _ in try choices(request, .createAccount) }
        router.get("/no-account/{provider}") { request, context in
            try noAccount(request, at: try ProviderAuthorizationPages.provider(context.parameters))
        }
    }

    /// The act that a page is for.
    private enum Action {
        case signIn, createAccount

        var path: String { self == .signIn ? "/sign-in" : "/create-account" }
        var button: TextName { self == .signIn ? .signInWith : .createWith }
    }

    private func welcome(_ request: Request) async throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        if let cookie = visit.cookies[.session],
            (try? await desk.services.authenticator.authenticate(browserCookie: cookie)) != nil
        {
            return desk.redirect(to: Section.account.path)
        }
        return try desk.page("welcome", [:], visit)
    }

    private func choices(_ request: Request, _ act: Action) throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let (browser, isNew) = desk.browser(visit)
        let place = try ProviderAuthorizationPages.query(request)["to"].flatMap { PageLocation($0) } ?? .account
        let all = ProviderChoice.all(desk.services, for: visit)
        let choices = all.filter { $0.name == place.provider } + all.filter { $0.name != place.provider }
        let content: [String: any Sendable] = [
            "isSignIn": act == .signIn, "isEmpty": choices.isEmpty,
            "providers": try providerLinks(choices, act, browser, visit, to: place),
            "signIn": Self.path("/sign-in", to: place), "createAccount": Self.path("/create-account", to: place),
        ]
        return desk.storeBrowser(browser, isNew, in: try desk.page("provider_choice", content, visit))
    }

    /// Explains that the identity has no account, with three ways to continue: another provider, a new account, or
    /// linking after a sign-in.
    private func noAccount(_ request: Request, at provider: ProviderName) throws -> Response {
        let visit = BrowserRequest(request, catalog: desk.catalog)
        let pending = PendingCookie(visit.cookies, for: provider)
        guard let pending, let browser = visit.browser else { return desk.redirect(to: "/sign-in") }
        let title = desk.title(of: provider)
        // Providers that the hints name come first.
        let others = ProviderChoice.all(desk.services, for: visit).filter { $0.name != provider }
        let ordered =
            others.filter { pending.hints.contains($0.name) } + others.filter { !pending.hints.contains($0.name) }
        let content: [String: any Sendable] = [
            "text": visit.texts(.noAccountText, [.provider: title]),
            "hints": pending.hints.map { visit.texts(.hintText, [.provider: desk.title(of: $0)]) },
            "linkHint": visit.texts(.noAccountLinkHint, [.provider: title]),
            "others": try providerLinks(ordered, .signIn, browser, visit, words: .tryProvider, to: .pending),
            "create": visit.texts(.createWith, [.provider: title]), "mark": pending.mark,
            "formToken": try desk.services.formTokens.makeToken(browser, nil),
        ]
        return try desk.page("no_account", content, visit)
    }

    /// Returns the path of a page that continues to a place.
    static func path(_ path: String, to place: PageLocation) -> String {
        place == .account ? path : "\(path)?to=\(Form.escaped("\(place)"))"
    }

    private func providerLinks(
        _ choices: [ProviderChoice], _ act: Action, _ browser: Browser, _ visit: BrowserRequest, words: TextName? = nil,
        to place: PageLocation = .account
    ) throws -> [[String: any Sendable]] {
        let token = try desk.services.formTokens.makeToken(browser, nil)
        return choices.map { choice in
            [
                "title": visit.texts(words ?? act.button, [.provider: choice.title]), "isLast": choice.isLast,
                "path": "\(act.path)/\(choice.name)?to=\(Form.escaped("\(place)"))&\(Form.tokenField)=\(token)",
            ]
        }
    }
}

extension PageContext {
    /// Returns the visitor's browser, or a new one on the first visit.
    func browser(_ visit: BrowserRequest) -> (browser: Browser, isNew: Bool) {
        if let known = visit.browser { return (known, false) }
        return (services.browserSignIn.makeBrowser(name: visit.browserName), true)
    }

    /// Stores a new browser's secret. It outlives every session, so that the browser remains the same device.
    func storeBrowser(_ browser: Browser, _ isNew: Bool, in response: Response) -> Response {
        guard isNew else { return response }
        var response = response
        response.set(.browser, to: browser.secret, for: 400 * 86_400)
        return response
    }
}
