import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import Localization
import NIOCore
import PhotolalaAPI
import UseCases

/// The worker that keeps what was seen of the library for reading without a connection, the page that it shows instead
/// of one that it did not keep, the worker that shows this page instead of account pages, and the form that turns them on
/// or off.
struct OfflinePages: Sendable {
    static let workerPath = "/library/service_worker.js"
    private static let accountWorkerPath = "/account/service_worker.js"
    static let messagePath = "/library/offline"
    static let path = "/account/offline"
    private static let sessionPath = "/library/session"
    /// The longest lifetime of a choice in seconds: that of a browser's session.
    private static let lifetime = 30 * 86_400

    let context: PageContext
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Self.workerPath, on: router) { try await worker($0) }
        router.get(RouterPath(Self.accountWorkerPath)) { _, _ in
            Self.script(context.pages.accountWorker, scope: Section.overview.path, sources: "'self'")
        }
        router.get(RouterPath(Self.messagePath)) { request, _ in try message(request) }
        // Pages compare it with their own account. Costs the request's authentication.
        account.mountPage(Self.sessionPath, on: router) { try Response(json: ["account": Self.owner($0)]) }
        account.mountAction(Self.path, on: router) { page, form in try choose(page, form) }
    }

    /// Returns the worker's script. A worker uses the policy of its script's response, which names the store's origin.
    private func worker(_ page: AccountPage) async throws -> Response {
        let store = try await context.services.library.presignedURLs([], caller: page.caller).origin
        let script = try context.pages.serviceWorker(store: store)
        return Self.script(script, scope: Section.photos.path, sources: "'self' \(store)")
    }

    /// Returns the script of a worker for the pages below a path, which connects to these sources only.
    private static func script(_ text: String, scope: String, sources: String) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; connect-src \(sources)",
        ]
        if let allowed = HTTPField.Name("Service-Worker-Allowed") { headers[allowed] = scope }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    private func message(_ request: Request) throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let readable = [Section.photos, .albums, .places, .favorites, .archive].map { section in
            ["path": section.path, "title": browserRequest.texts.all[section.rawValue] ?? ""]
        }
        return try context.page(
            "offline", ["module": context.pages.asset("offline.js"), "readable": readable], browserRequest,
            policy: .ownScripts)
    }

    /// Sets the choice of this browser. All but `on` deletes what is kept.
    private func choose(_ page: AccountPage, _ form: Form) throws -> Response {
        guard let mode = form["mode"].flatMap({ OfflineMode(rawValue: $0) }) else {
            throw ServiceError.invalidRequest("unknown mode")
        }
        var response = context.redirect(to: "\(Section.overview.path)?saved=offline#offline-reading")
        response.set(.offline, to: mode.rawValue, for: Self.lifetime)
        if mode != .on { response.clearStorage() }
        return response
    }

    /// Returns the template content of the form.
    static func content(_ page: AccountPage) -> [String: any Sendable] {
        let current = OfflineMode(page.browserRequest.cookies)
        return [
            "offlineAction": path, "isOfflineSaved": page.query["saved"] == "offline",
            "offlineModes": OfflineMode.allCases.map { mode in
                [
                    "value": mode.rawValue, "title": page.browserRequest.texts(mode.text), "selected": mode == current,
                ] as [String: any Sendable]
            },
        ]
    }
}

extension OfflinePages {
    /// Returns the template content of the bar that says that there is no connection.
    static func bar(_ page: AccountPage) -> [String: any Sendable] {
        ["offlineAccount": owner(page), "closeIcon": Icon.close.html]
    }

    /// The name under which a browser keeps what belongs to the account of a page: a hash of its identifier.
    static func owner(_ page: AccountPage) -> String {
        owner(page.caller.user)
    }

    /// The name of an account for the scripts of its pages.
    static func owner(_ user: UserID) -> String {
        let hash = SHA256.hash(data: Data("offline \(user)".utf8)).prefix(8)
        return hash.map { String(format: "%02x", $0) }.joined()
    }
}

extension Response {
    /// Permits the worker of this browser to keep a page of the library, with the page's account and the version of its
    /// static files. A worker that gets a page without this deletes all that it has kept.
    mutating func permitKeeping(for page: AccountPage, version: String) {
        guard status == .ok, OfflineMode(page.browserRequest.cookies) != .off else { return }
        guard let name = HTTPField.Name("Photolala-Offline") else { return }
        headers[name] = "\(OfflinePages.owner(page))/\(version)"
    }

    /// Deletes what pages and workers of this server have stored in the browser (W3C, "Clear Site Data").
    mutating func clearStorage() {
        if let name = HTTPField.Name("Clear-Site-Data") { headers[name] = "\"storage\"" }
    }
}
