import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The part of a browser's request that all pages need.
struct BrowserRequest: Sendable {
    let texts: LocalizedStrings
    /// `nil` on the first visit and for browsers without cookies.
    let browser: Browser?
    let cookies: PortalCookies
    /// The name for a new browser.
    let browserName: String
    let isApple: Bool
    let isAndroid: Bool

    init(_ request: Request, catalog: TextCatalog) {
        texts = catalog.strings(for: request.headers[.acceptLanguage])
        let agent = request.headers[.userAgent] ?? ""
        browserName = BrowserName.name(of: agent)
        cookies = PortalCookies(request)
        browser = cookies[.browser].flatMap { [browserName] in Browser(secret: $0, name: browserName) }
        isApple = ["iPhone", "iPad", "Macintosh"].contains { agent.contains($0) }
        isAndroid = agent.contains("Android")
    }
}
