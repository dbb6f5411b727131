import PhotolalaAPI

/// The OAuth endpoints of one provider, as far as we ask them: a code for tokens, whether a token still counts, and
/// taking it back.
package protocol ProviderTokenService: Sendable {
    /// The provider whose endpoints these are.
    var provider: ProviderName { get }

    /// Whether we can prove there that we are this client. Codes and tokens of other clients are not asked about.
    func serves(_ clientID: String) -> Bool

    /// Exchanges an authorization code (RFC 6749 section 4.1.3). A code is good once.
    func exchange(_ code: String, of clientID: String) async throws(ProviderTokenError) -> ExchangedTokens

    /// Asks whether a refresh token still counts (RFC 6749 section 6).
    /// - Throws: `refused` when it does not.
    func check(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError)

    /// Takes a refresh token back (RFC 7009). One that does not count any more is no failure.
    func revoke(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError)
}

/// What a code brought.
package struct ExchangedTokens: Sendable, Equatable {
    /// `nil` where the provider gave none.
    package let refreshToken: String?
    /// Says whose code it was; not verified yet.
    package let idToken: String?

    package init(refreshToken: String?, idToken: String?) {
        self.refreshToken = refreshToken
        self.idToken = idToken
    }
}

/// Why a provider's OAuth endpoint did not do as it was asked. Texts are for the log and hold no code or token.
package enum ProviderTokenError: Error, Equatable, Sendable {
    /// The code or the token does not count (`invalid_grant`).
    case refused
    /// The provider does not take us for the client, or not our way of asking: an operator has to look.
    case misconfigured(String)
    /// It does not answer, or not now.
    case unavailable(String)
}
