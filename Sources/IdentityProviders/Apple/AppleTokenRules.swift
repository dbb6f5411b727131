/// Sign in with Apple, beyond OpenID Connect.
struct AppleTokenRules: OpenIDTokenRules {
    /// `nonce_supported`: false where the system of the sign-in carries none (Apple, "Verifying a user"). Apple sends
    /// booleans as strings at times.
    func lacksNonceSupport(_ claims: OpenIDClaims) -> Bool {
        claims["nonce_supported"] == .bool(false) || claims["nonce_supported"] == .string("false")
    }

    /// `transfer_sub`, for 60 days after an app has moved to this team.
    func transferID(of claims: OpenIDClaims) -> String? {
        claims["transfer_sub"]?.string.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil }
    }
}
