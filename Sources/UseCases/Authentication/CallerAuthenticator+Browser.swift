import PhotolalaAPI

extension CallerAuthenticator {
    /// Checks the cookie of a browser's session, then that its account, device and session still stand. Two reads.
    /// - Throws: `unauthorized` for what is no such cookie, `sessionEnded`.
    package func authenticate(
        browserCookie cookie: String, for purpose: CallPurpose = .general
    ) async throws(ServiceError) -> Caller {
        try await mapServiceErrors {
            let presented = try sessions.resume(browserCookie: cookie)
            try limits.consume(presented.session)
            try limits.check(presented.user, on: presented.device, for: purpose)
            async let found = accounts.usableAccount(presented.user)
            async let device = sessions.devices.device(presented.device, of: presented.user)
            guard let known = try await found, let device = try await device else {
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

    /// Returns the account of a browser's session cookie that this service issued, whether or not the session still stands.
    /// Makes no store request.
    package func user(ofBrowserCookie cookie: String?) -> UserID? {
        cookie.flatMap { try? sessions.resume(browserCookie: $0) }?.user
    }

    /// Refuses a cookie that this service did not issue, before any store read. Makes no store request.
    package func checkSignature(ofBrowserCookie cookie: String?) throws(ServiceError) {
        guard let cookie, (try? sessions.resume(browserCookie: cookie)) != nil else {
            throw .unauthorized("no browser session")
        }
    }
}
