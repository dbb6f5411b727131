import Flows
import Hummingbird
import IdentityProviders

/// A request from a signed-in person's browser.
struct AccountPage: Sendable {
    let visit: Visit
    let caller: Caller
    let browser: Browser
    let query: FormParameters
    /// The token for the forms and links of this page.
    let formToken: String

    /// - Throws: `unauthorized` or `sessionEnded` if there is no valid session.
    init(_ request: Request, _ desk: Desk) async throws {
        visit = Visit(request, catalog: desk.catalog)
        guard let cookie = visit.cookies[.session], let browser = visit.browser else {
            throw FlowError.unauthorized("no session in this browser")
        }
        self.browser = browser
        query = try ProviderRounds.query(request)
        // The forms and lists below `/account` protect the account.
        let isOfAccount = request.uri.path.split(separator: "/").first == "account"
        caller = try await desk.services.authenticate(
            browserCookie: cookie, for: isOfAccount ? .protection : .general)
        formToken = try desk.services.formToken(browser, caller)
    }

    /// Authenticates the sender of a form on one of our pages. Returns `nil` if the browser is now signed out or signed
    /// in to another account.
    static func sender(of form: Form, _ request: Request, _ desk: Desk) async throws -> AccountPage? {
        do {
            let page = try await AccountPage(request, desk)
            try desk.services.check(formToken: form[Form.tokenField], page.browser, page.caller)
            return page
        } catch let error as FlowError {
            guard [.sessionEnded, .formOutdated].contains(error) || error.isUnauthorized else { throw error }
            return nil
        }
    }
}

extension FlowError {
    fileprivate var isUnauthorized: Bool { if case .unauthorized = self { true } else { false } }
}
