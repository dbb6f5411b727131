/// Sign in with Apple, beyond OpenID Connect.
struct AppleTokenRules: OpenIDTokenRules {
    /// `nonce_supported`: false where the system of the sign-in carries none (Apple, "Verifying a user"). Apple sends
    /// booleans as strings at times.
    func lacksNonceSupport(_ claims: OpenIDClaims) -> Bool {
        claims["nonce_supported"] == .bool(false) || claims["nonce_supported"] == .string("false")
    }
}
