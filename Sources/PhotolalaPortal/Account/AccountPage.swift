import Hummingbird
import IdentityProviders
import UseCases

/// A request from a signed-in person's browser.
struct AccountPage: Sendable {
    var browserRequest: BrowserRequest
    let caller: Caller
    let browser: Browser
    let query: FormParameters
    /// The token for the forms and links of this page.
    let formToken: String

    /// - Throws: `unauthorized` or `sessionEnded` if there is no valid session.
    init(_ request: Request, _ context: PageContext) async throws {
        browserRequest = BrowserRequest(request, catalog: context.catalog)
        guard let cookie = browserRequest.cookies[.session], let browser = browserRequest.browser else {
            throw ServiceError.unauthorized("no session in this browser")
        }
        self.browser = browser
        query = try ProviderAuthorizationPages.query(
            ReportedOutcome.shown(request.uri.query ?? "", browserRequest.cookies[.outcome]))
        // The forms and lists below `/account` protect the account.
        let isOfAccount = request.uri.path.split(separator: "/").first == "account"
        caller = try await context.services.authenticator.authenticate(
            browserCookie: cookie, for: isOfAccount ? .protection : .general)
        // A page that authorizes an app or a device belongs to what that app asked for.
        if ["account", "library"].contains(request.uri.path.split(separator: "/").first) {
            browserRequest.account = OfflinePages.owner(caller.user)
        }
        formToken = try context.services.formTokens.makeToken(browser, caller)
    }

    /// Authenticates the sender of a form on one of our pages. Returns `nil` if the browser is now signed out or signed
    /// in to another account.
    static func sender(of form: Form, _ request: Request, _ context: PageContext) async throws -> AccountPage? {
        do {
            let page = try await AccountPage(request, context)
            try context.services.formTokens.check(form[Form.tokenField], page.browser, page.caller)
            return page
        } catch let error as ServiceError {
            guard [.sessionEnded, .formOutdated].contains(error) || error.isUnauthorized else { throw error }
            return nil
        }
    }
}

extension ServiceError {
    fileprivate var isUnauthorized: Bool { if case .unauthorized = self { true } else { false } }
}
