/// The service's OAuth client for sign-ins in a browser at one provider.
package struct BrowserClient: Sendable {
    /// The provider-specific parameters of the authorization code flow.
    package struct Endpoints: Sendable {
        /// The authorization endpoint; `nil` to use the issuer's discovery document.
        package var authorizationURL: String?
        /// The token endpoint; `nil` to use the issuer's discovery document.
        package var tokenURL: String?
        package var scopes = ["openid", "email", "profile"]
        /// Whether the browser posts the response (OAuth 2.0 Form Post Response Mode). Only Apple uses this.
        package var usesFormPost = false
        /// Whether `access_type` requests a refresh token, so that it can be revoked at unlinking. Only Google needs
        /// this.
        package var asksForRefreshToken = false
    }

    /// The client id, one of the provider's audiences. At Apple a Services ID.
    package var clientID: String
    /// The client authentication at the token endpoint.
    package var authentication: ClientAuthentication

    package init(clientID: String, authentication: ClientAuthentication) {
        self.clientID = clientID
        self.authentication = authentication
    }
}
