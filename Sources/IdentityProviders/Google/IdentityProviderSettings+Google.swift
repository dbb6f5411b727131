import PhotolalaAPI

extension IdentityProviderSettings {
    /// The settings for Sign in with Google.
    ///
    /// Google's tokens name the issuer in two forms. Google assigns addresses at gmail.com and of hosted organisations
    /// itself, and mails a code to any other address before it marks it verified.
    /// - Parameter audiences: the client ids for web, iOS, Android and desktop.
    package static func google(audiences: [String]) -> IdentityProviderSettings {
        var settings = IdentityProviderSettings(
            name: .google, issuers: ["https://accounts.google.com", "accounts.google.com"],
            keySet: .url("https://www.googleapis.com/oauth2/v3/certs"), audiences: audiences
        )
        settings.tokenURL = "https://oauth2.googleapis.com/token"
        settings.revokeURL = "https://oauth2.googleapis.com/revoke"
        settings.browserEndpoints.authorizationURL = "https://accounts.google.com/o/oauth2/v2/auth"
        settings.browserEndpoints.tokenURL = settings.tokenURL
        settings.browserEndpoints.asksForRefreshToken = true
        settings.displayName = "Google"
        // Codes of the mobile SDKs are exchanged with an empty redirect URI.
        settings.redirectURI = ""
        settings.emailTrust = .all
        settings.eventFormat = GoogleEventFormat()
        return settings
    }
}
