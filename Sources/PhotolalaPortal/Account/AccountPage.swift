import Flows
import Hummingbird
import IdentityProviders

/// One request of a signed-in person's browser.
struct AccountPage: Sendable {
    let visit: Visit
    let caller: Caller
    let browser: Browser
    let query: FormParameters
    /// For the forms and links of this page.
    let formToken: String

    /// - Throws: `unauthorized` or `sessionEnded` where there is no session that stands.
    init(_ request: Request, _ desk: Desk) async throws {
        visit = Visit(request, catalog: desk.catalog)
        guard let cookie = visit.cookies[.session], let browser = visit.browser else {
            throw FlowError.unauthorized("no session in this browser")
        }
        self.browser = browser
        query = try ProviderRounds.query(request)
        // Its forms and lists are what an owner protects the account with.
        let isOfAccount = request.uri.path.split(separator: "/").first == "account"
        caller = try await desk.services.authenticate(
            browserCookie: cookie, for: isOfAccount ? .protection : .general)
        formToken = try desk.services.formToken(browser, caller)
    }

    /// Who sent a form of a page of ours; `nil` where somebody else, or nobody, is signed in meanwhile.
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
