import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The pages Welcome, Sign in and Create account, and the page for an identity without an account.
struct SignInPages: Sendable {
    let context: PageContext

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
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        if let cookie = browserRequest.cookies[.session],
            (try? await context.services.authenticator.authenticate(browserCookie: cookie)) != nil
        {
            return context.redirect(to: PageLocation.home.path)
        }
        return try context.page("welcome", [:], browserRequest)
    }

    private func choices(_ request: Request, _ action: Action) throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let (browser, isNew) = context.browser(browserRequest)
        let location = try ProviderAuthorizationPages.query(request)["to"].flatMap { PageLocation($0) } ?? .home
        let all = ProviderChoice.all(context.services, for: browserRequest)
        let choices = all.filter { $0.name == location.provider } + all.filter { $0.name != location.provider }
        let links = try providerLinks(choices, action, browser, browserRequest, to: location)
        // On Android, most people use the first one.
        let shown = browserRequest.isAndroid ? 1 : links.count
        let content: [String: any Sendable] = [
            "isSignIn": action == .signIn, "isEmpty": choices.isEmpty, "providers": Array(links.prefix(shown)),
            "others": Array(links.dropFirst(shown)), "hasOthers": links.count > shown,
            "signIn": Self.path("/sign-in", to: location), "createAccount": Self.path("/create-account", to: location),
        ]
        return context.storeBrowser(browser, isNew, in: try context.page("provider_choice", content, browserRequest))
    }

    /// Explains that the identity has no account, with three ways to continue: another provider, a new account, or
    /// linking after a sign-in.
    private func noAccount(_ request: Request, at provider: ProviderName) throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let pending = PendingCookie(browserRequest.cookies, for: provider)
        guard let pending, let browser = browserRequest.browser else { return context.redirect(to: "/sign-in") }
        let title = context.title(of: provider)
        // Providers that the hints name come first.
        let others = ProviderChoice.all(context.services, for: browserRequest).filter { $0.name != provider }
        let ordered =
            others.filter { pending.hints.contains($0.name) } + others.filter { !pending.hints.contains($0.name) }
        let content: [String: any Sendable] = [
            "text": browserRequest.texts(.noAccountText, [.provider: title]),
            "hints": pending.hints.map { browserRequest.texts(.hintText, [.provider: context.title(of: $0)]) },
            "linkHint": browserRequest.texts(.noAccountLinkHint, [.provider: title]),
            "others": try providerLinks(ordered, .signIn, browser, browserRequest, label: .tryProvider, to: .pending),
            "create": browserRequest.texts(.createWith, [.provider: title]), "mark": pending.identifier,
            "formToken": try context.services.formTokens.makeToken(browser, nil),
        ]
        return try context.page("no_account", content, browserRequest)
    }

    /// Returns the path of a page that continues to a place.
    static func path(_ path: String, to location: PageLocation) -> String {
        location == .home ? path : "\(path)?to=\(Form.escaped("\(location)"))"
    }

    private func providerLinks(
        _ choices: [ProviderChoice], _ action: Action, _ browser: Browser, _ browserRequest: BrowserRequest,
        label: TextName? = nil,
        to location: PageLocation = .home
    ) throws -> [[String: any Sendable]] {
        let token = try context.services.formTokens.makeToken(browser, nil)
        return choices.map { choice in
            choice.button(
                browserRequest.texts(label ?? action.button, [.provider: choice.title]),
                path: "\(action.path)/\(choice.name)?to=\(Form.escaped("\(location)"))&\(Form.tokenField)=\(token)",
                showsLast: label == nil)
        }
    }
}

extension PageContext {
    /// Returns the visitor's browser, or a new one on the first visit.
    func browser(_ browserRequest: BrowserRequest) -> (browser: Browser, isNew: Bool) {
        if let known = browserRequest.browser { return (known, false) }
        return (services.browserSignIn.makeBrowser(name: browserRequest.browserName), true)
    }

    /// Stores a new browser's secret. It outlives every session, so that the browser remains the same device.
    func storeBrowser(_ browser: Browser, _ isNew: Bool, in response: Response) -> Response {
        guard isNew else { return response }
        var response = response
        response.set(.browser, to: browser.secret, for: 400 * 86_400)
        return response
    }
}
