import PhotolalaAPI

/// One provider's sign-in in a browser: authorization code with PKCE (RFC 6749 section 4.1, RFC 7636), as far as we ask
/// the provider.
package protocol ProviderAuthorization: Sendable {
    /// The provider whose sign-in it is.
    var provider: ProviderName { get }

    /// What people call it.
    var displayName: String { get }

    /// Whether answers are posted by the browser, from the provider's own page.
    var answersByForm: Bool { get }

    /// Our client there. Tokens made for another one are not the answer to a round that began here.
    var clientID: String { get }

    /// Where the browser is sent.
    func location(for request: AuthorizationRequest) async throws(ProviderTokenError) -> String

    /// Whether an answer that names its issuer (RFC 9207) is this provider's.
    func isIssuer(_ issuer: String) -> Bool

    /// Exchanges the code that came back.
    /// - Parameter verifier: the one whose challenge the request had.
    func exchange(_ code: String, verifier: String) async throws(ProviderTokenError) -> ExchangedTokens
}

/// What of a request to a provider's authorization endpoint is different each time.
package struct AuthorizationRequest: Sendable {
    /// Comes back with the answer.
    package let state: String
    /// Comes back in the identity token.
    package let nonce: String
    /// RFC 7636 section 4.2, of the method S256.
    package let codeChallenge: String
    /// Whether the person is to be asked who they are even where the provider knows.
    package let asksAgain: Bool

    package init(state: String, nonce: String, codeChallenge: String, asksAgain: Bool) {
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
        self.asksAgain = asksAgain
    }
}
