import PhotolalaAPI

extension IdentityProviderSettings {
    /// The settings for Sign in with Apple.
    ///
    /// The issuer and the key set URL are pinned, because Apple's discovery document named another issuer than its
    /// tokens for some time in June 2025. Apple signs with RS256 only, and mails a code to an address before it marks
    /// it verified.
    /// - Parameter audiences: the bundle ids of the apps and the Services IDs for the web.
    package static func apple(audiences: [String]) -> IdentityProviderSettings {
        let issuer = "https://appleid.apple.com"
        var settings = IdentityProviderSettings(
            name: .apple, issuers: [issuer], keySet: .url("\(issuer)/auth/keys"), audiences: audiences
        )
        settings.tokenURL = "\(issuer)/auth/token"
        settings.revokeURL = "\(issuer)/auth/revoke"
        settings.userMigrationURL = "\(issuer)/auth/usermigrationinfo"
        settings.browserEndpoints.authorizationURL = "\(issuer)/auth/authorize"
        settings.browserEndpoints.tokenURL = settings.tokenURL
        // With the scope `name` or `email` Apple requires `form_post`.
        settings.browserEndpoints.scopes = ["name", "email"]
        settings.browserEndpoints.usesFormPost = true
        settings.displayName = "Apple"
        settings.rules = AppleTokenRules()
        settings.emailTrust = .all
        settings.eventFormat = AppleEventFormat()
        // Newer relay addresses may end in icloud.com; only the claim `is_private_email` identifies those.
        settings.privateEmailDomains = ["privaterelay.appleid.com"]
        return settings
    }
}
