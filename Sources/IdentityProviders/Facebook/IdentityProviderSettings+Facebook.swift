import PhotolalaAPI

extension IdentityProviderSettings {
    /// The settings for Facebook's Limited Login, which issues OpenID Connect tokens. Its e-mail addresses are not
    /// trusted as verified.
    /// - Parameter audiences: the id of the app at Facebook.
    package static func facebook(audiences: [String]) -> IdentityProviderSettings {
        var settings = IdentityProviderSettings(
            name: .facebook, issuers: ["https://www.facebook.com", "https://limited.facebook.com"],
            keySet: .url("https://limited.facebook.com/.well-known/oauth/openid/jwks/"), audiences: audiences
        )
        settings.browserEndpoints.authorizationURL = "https://www.facebook.com/v23.0/dialog/oauth"
        settings.browserEndpoints.tokenURL = "https://graph.facebook.com/v23.0/oauth/access_token"
        settings.browserEndpoints.scopes = ["openid"]
        settings.displayName = "Facebook"
        return settings
    }
}
