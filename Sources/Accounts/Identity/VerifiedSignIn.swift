/// A verified identity and what came with its ID token.
package struct VerifiedSignIn: Sendable, Equatable {
    package let identity: VerifiedIdentity
    /// Sent by the client and unverified: the exchange shows to which user it belongs.
    package let authorizationCode: String?
    /// The provider's refresh token, if the service has exchanged the code itself.
    package let refreshToken: String?
    /// The user's name, as sent by the client and unverified.
    package let name: String?

    package init(
        identity: VerifiedIdentity, authorizationCode: String?, refreshToken: String? = nil, name: String? = nil
    ) {
        self.identity = identity
        self.authorizationCode = authorizationCode
        self.refreshToken = refreshToken
        self.name = name
    }
}
