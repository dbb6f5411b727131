import PhotolalaAPI

/// The OAuth endpoints of one provider that the service uses: code exchange, refresh token check and revocation.
package protocol ProviderTokenService: Sendable {
    /// The provider of the endpoints.
    var provider: ProviderName { get }

    /// Returns whether this service can authenticate as a client. Codes and tokens of other clients are not sent.
    func serves(_ clientID: String) -> Bool

    /// Exchanges an authorization code (RFC 6749 section 4.1.3). A code is valid once.
    func exchange(_ code: String, of clientID: String) async throws(ProviderTokenError) -> ExchangedTokens

    /// Checks whether a refresh token is still valid (RFC 6749 section 6).
    /// - Throws: `refused` if it is not.
    func check(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError)

    /// Revokes a refresh token (RFC 7009). An invalid token is not an error.
    func revoke(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError)
}

/// The tokens from a code exchange.
package struct ExchangedTokens: Sendable, Equatable {
    /// `nil` if the provider issued none.
    package let refreshToken: String?
    /// Identifies the user to whom the code belongs; not verified yet.
    package let idToken: String?

    package init(refreshToken: String?, idToken: String?) {
        self.refreshToken = refreshToken
        self.idToken = idToken
    }
}

/// An error from a provider's OAuth endpoint. Texts are for the log and contain no code or token.
package enum ProviderTokenError: Error, Equatable, Sendable {
    /// The code or token is invalid (`invalid_grant`).
    case refused
    /// The provider rejects the client or the form of the request; an operator must act.
    case misconfigured(String)
    /// The provider does not respond, or is temporarily unavailable.
    case unavailable(String)
}
