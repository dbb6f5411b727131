import Accounts

/// Issues and checks the tokens of the pages' forms and links.
package struct FormTokens: Sendable {
    let browserStates: SealedBrowserStates

    /// Returns the form token of this browser and session, for the forms and links of its pages.
    package func makeToken(_ browser: Browser, _ caller: Caller?) throws(ServiceError) -> String {
        do { return try browserStates.makeFormToken(for: Self.context(browser, caller)) } catch {
            throw ServiceError(error) { _ in .internal("form token creation failed") }
        }
    }

    /// Refuses a request that does not come from a page served to this browser in this session.
    package func check(_ token: String?, _ browser: Browser?, _ caller: Caller?) throws(ServiceError) {
        guard let browser, let token, browserStates.isValidFormToken(token, for: Self.context(browser, caller))
        else {
            throw .formOutdated
        }
    }

    private static func context(_ browser: Browser, _ caller: Caller?) -> String {
        "\(browser.secret)\n\(caller?.session.id.description ?? "")"
    }
}
