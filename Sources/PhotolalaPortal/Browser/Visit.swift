import Flows
import Hummingbird
import PhotolalaAPI

/// One request of a browser, as far as all pages look at it.
struct Visit: Sendable {
    let texts: Texts
    /// `nil` for one that is here for the first time, or keeps no cookies.
    let browser: Browser?
    let cookies: PortalCookies
    /// What a browser that is new here would be called.
    let browserName: String
    let isApple: Bool
    let isAndroid: Bool

    init(_ request: Request, catalog: TextCatalog) {
        texts = catalog.texts(for: request.headers[.acceptLanguage])
        let agent = request.headers[.userAgent] ?? ""
        browserName = BrowserName.name(of: agent)
        cookies = PortalCookies(request)
        browser = cookies[.browser].flatMap { [browserName] in Browser(secret: $0, name: browserName) }
        isApple = ["iPhone", "iPad", "Macintosh"].contains { agent.contains($0) }
        isAndroid = agent.contains("Android")
    }
}
