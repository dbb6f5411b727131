/// An identity, and the authorization code that its proof came with.
package struct ProvenIdentity: Sendable, Equatable {
    package let identity: VerifiedIdentity
    /// The word of whoever sent it: whose it is shows when it is exchanged.
    package let authorizationCode: String?

    package init(identity: VerifiedIdentity, authorizationCode: String?) {
        self.identity = identity
        self.authorizationCode = authorizationCode
    }
}
