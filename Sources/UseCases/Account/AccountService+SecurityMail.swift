import Accounts

/// Where the security e-mails of an account go, and in which language.
package struct SecurityMailPreferences: Sendable, Equatable {
    package let addresses: [String]
    /// The BCP 47 tag; `nil` for the default.
    package let language: String?
}

extension AccountService {
    /// Returns where the caller's security e-mails go; `nil` if this deployment sends none.
    package func securityMail(_ caller: Caller) -> SecurityMailPreferences? {
        guard accounts.mailOutbox != nil else { return nil }
        let account = caller.account.value
        return SecurityMailPreferences(
            addresses: accounts.mailRecipients(of: account).map(\.address), language: account.language)
    }

    /// Sets the language of the caller's security e-mails.
    /// - Parameter language: a BCP 47 tag that the caller has checked.
    /// - Throws: `reauthenticationRequired`.
    package func setMailLanguage(_ language: String, _ caller: Caller) async throws(ServiceError) {
        try sensitiveActions.requireRecentAuthentication(caller, for: .changeMail)
        _ = try await mapServiceErrors {
            try await accounts.change(caller.account) { (document) throws(AccountError) in
                document.language = language
            }
        }
    }
}
