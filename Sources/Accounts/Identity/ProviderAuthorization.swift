import PhotolalaAPI

/// A provider's browser sign-in: authorization code flow with PKCE (RFC 6749 section 4.1, RFC 7636), limited to what
/// the service uses.
package protocol ProviderAuthorization: Sendable {
    /// The provider that performs the sign-in.
    var provider: ProviderName { get }

    /// The provider's name as shown to users.
    var displayName: String { get }

    /// Whether the browser posts the response as a form from the provider's page.
    var usesFormPost: Bool { get }

    /// Our client id at the provider. A token for another client does not answer an authorization request of this one.
    var clientID: String { get }

    /// Returns the URL to which the browser is redirected.
    func location(for request: AuthorizationRequest) async throws(ProviderTokenError) -> String

    /// Returns whether the issuer in a response (RFC 9207) is this provider.
    func isIssuer(_ issuer: String) -> Bool

    /// Exchanges the authorization code.
    /// - Parameter verifier: the one whose challenge the request contained.
    func exchange(_ code: String, verifier: String) async throws(ProviderTokenError) -> ExchangedTokens
}

/// The parameters of a request to a provider's authorization endpoint that differ each time.
package struct AuthorizationRequest: Sendable {
    /// Returned with the response.
    package let state: String
    /// Returned in the ID token.
    package let nonce: String
    /// RFC 7636 section 4.2, method S256.
    package let codeChallenge: String
    /// Whether the provider must authenticate the user again even if a session exists there.
    package let requiresReauthentication: Bool

    package init(state: String, nonce: String, codeChallenge: String, requiresReauthentication: Bool) {
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
        self.requiresReauthentication = requiresReauthentication
    }
}
