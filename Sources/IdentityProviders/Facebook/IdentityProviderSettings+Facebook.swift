import PhotolalaAPI

extension IdentityProviderSettings {
    /// Facebook's Limited Login, whose tokens are OpenID Connect's. Its word on an address is proof of nothing.
    /// - Parameter audiences: the id of the app at Facebook.
    package static func facebook(audiences: [String]) -> IdentityProviderSettings {
        IdentityProviderSettings(
            name: .facebook, issuers: ["https://www.facebook.com", "https://limited.facebook.com"],
            keySet: .url("https://limited.facebook.com/.well-known/oauth/openid/jwks/"), audiences: audiences
        )
    }
}
