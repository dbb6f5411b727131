import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Checks the cookie of a browser's session, then that its account, device and session still stand. Two reads.
    /// - Throws: `unauthorized` for what is no such cookie, `sessionEnded`.
    package func authenticate(
        browserCookie cookie: String, for purpose: CallPurpose = .general
    ) async throws(ServiceError) -> Caller {
        try await mapServiceErrors {
            let presented = try sessions.resume(browserCookie: cookie)
            try limits.consume(presented.session)
            try limits.check(presented.user, on: presented.device, for: purpose)
            async let found = accounts.account(presented.user)
            async let device = sessions.devices.device(presented.device, of: presented.user)
            guard let known = try await found, known.value.isUsable, let device = try await device else {
                throw ServiceError.sessionEnded
            }
            let account = try await accounts.startDueUnlinks(of: known)
            let session = try await sessions.parse(presented, inBrowser: device, account.value.sessionState(at: now()))
            try limits.consume(presented.user, on: presented.device, for: purpose)
            return Caller(
                user: presented.user, account: account, device: device, session: session, authTime: session.authTime,
                tokenExpiresAt: nil)
        }
    }

    /// Refuses a cookie that this service did not issue, before any store read. Makes no store request.
    package func checkSignature(ofBrowserCookie cookie: String?) throws(ServiceError) {
        guard let cookie, (try? sessions.resume(browserCookie: cookie)) != nil else {
            throw .unauthorized("no browser session")
        }
    }

    /// Ends the session of a browser cookie. Succeeds if the session has already ended or the cookie is invalid.
    package func signOut(browserCookie cookie: String) async throws(ServiceError) {
        guard let presented = try? sessions.resume(browserCookie: cookie) else { return }
        try await mapServiceErrors {
            guard let device = try await sessions.devices.device(presented.device, of: presented.user) else { return }
            try await sessions.end(presented.session, on: device, of: presented.user)
        }
    }

    /// Returns the form token of this browser and session, for the forms and links of its pages.
    package func formToken(_ browser: Browser, _ caller: Caller?) throws(ServiceError) -> String {
        do { return try browserStates.makeFormToken(for: Self.formTokenContext(browser, caller)) } catch {
            throw ServiceError(error) { _ in .internal("form token creation failed") }
        }
    }

    /// Refuses a request that does not come from a page served to this browser in this session.
    package func check(formToken token: String?, _ browser: Browser?, _ caller: Caller?) throws(ServiceError) {
        guard let browser, let token, browserStates.isValidFormToken(token, for: Self.formTokenContext(browser, caller))
        else {
            throw .formOutdated
        }
    }

    private static func formTokenContext(_ browser: Browser, _ caller: Caller?) -> String {
        "\(browser.secret)\n\(caller?.session.id.description ?? "")"
    }
}
