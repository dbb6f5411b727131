/// Our client for sign-ins in a browser at one provider.
package struct BrowserClient: Sendable {
    /// What is the provider's own about them.
    package struct Endpoints: Sendable {
        /// Where the browser is sent; `nil` where the issuer's discovery document says it.
        package var authorizationURL: String?
        /// Where codes are exchanged; `nil` likewise.
        package var tokenURL: String?
        package var scopes = ["openid", "email", "profile"]
        /// Whether the answer is posted by the browser (OAuth 2.0 Form Post Response Mode). Apple's alone.
        package var answersByForm = false
        /// Whether a refresh token is asked for with `access_type`, so that it can be given back at unlinking. Google's.
        package var asksForRefreshToken = false
    }

    /// One of the provider's audiences. At Apple a Services ID.
    package var clientID: String
    /// How we prove which client we are.
    package var authentication: ClientAuthentication

    package init(clientID: String, authentication: ClientAuthentication) {
        self.clientID = clientID
        self.authentication = authentication
    }
}
