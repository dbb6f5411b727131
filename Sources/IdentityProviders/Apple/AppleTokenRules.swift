/// The rules for Sign in with Apple beyond OpenID Connect.
struct AppleTokenRules: OpenIDTokenRules {
    /// Reads `nonce_supported`, which is false if the sign-in platform does not support nonces (Apple, "Verifying a
    /// user"). Apple sometimes sends booleans as strings.
    func lacksNonceSupport(_ claims: OpenIDClaims) -> Bool {
        claims["nonce_supported"] == .bool(false) || claims["nonce_supported"] == .string("false")
    }

    /// Reads `transfer_sub`, which tokens contain for 60 days after an app was transferred to this team.
    func transferID(of claims: OpenIDClaims) -> String? {
        claims["transfer_sub"]?.string.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil }
    }
}
