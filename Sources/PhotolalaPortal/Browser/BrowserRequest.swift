import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The part of a browser's request that all pages need.
struct BrowserRequest: Sendable {
    var texts: LocalizedStrings
    /// `nil` on the first visit and for browsers without cookies.
    let browser: Browser?
    let cookies: PortalCookies
    /// The name for a new browser.
    let browserName: String
    let isApple: Bool
    let isAndroid: Bool
    /// The theme that the person chose; `nil` for the system's.
    var theme: Theme?
    /// Whether a page's own script sent the request.
    let isScript: Bool
    /// The address of the page, for forms that return to it.
    let address: String
    /// Whether the page answers a form: no address shows it again, nor what was typed.
    let isAnswer: Bool
    /// The name for scripts of the account of which the page shows something, if it does.
    var account: String?

    init(_ request: Request, catalog: TextCatalog) {
        cookies = PortalCookies(request)
        texts = catalog.strings(for: request.headers[.acceptLanguage], chosen: cookies[.language])
        theme = cookies[.theme].flatMap { Theme(rawValue: $0) }
        // The address of a provider's response is used once.
        let isPage = request.method == .get && !request.uri.path.hasPrefix("/callback/")
        address = isPage ? request.uri.description : PageLocation.of(request).path
        isAnswer = request.method == .post
        isScript = request.headers[.accept] == "application/json"
        let agent = request.headers[.userAgent] ?? ""
        browserName = BrowserName.name(of: agent)
        var browser = cookies[.browser].flatMap { [browserName] in Browser(secret: $0, name: browserName) }
        browser?.language = texts.language
        self.browser = browser
        isApple = ["iPhone", "iPad", "Macintosh"].contains { agent.contains($0) }
        isAndroid = agent.contains("Android")
    }
}
