/// An identity, and what came with its proof.
package struct ProvenIdentity: Sendable, Equatable {
    package let identity: VerifiedIdentity
    /// The word of whoever sent it: whose it is shows when it is exchanged.
    package let authorizationCode: String?
    /// The provider's, where the service has exchanged the code itself.
    package let refreshToken: String?
    /// What the person is called, by the word of whoever sent it.
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
