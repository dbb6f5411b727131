import PhotolalaAPI

extension IdentityProviderSettings {
    /// Sign in with Apple.
    ///
    /// The issuer and the key set's address are pinned: Apple's discovery document named another issuer for some time
    /// in June 2025 while its tokens did not. Apple signs with RS256 only, and mails a code to an address before it calls
    /// it verified.
    /// - Parameter audiences: bundle ids of the apps and Services IDs of the web.
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
        // Whoever asks for a name or an address is answered by form alone.
        settings.browserEndpoints.scopes = ["name", "email"]
        settings.browserEndpoints.answersByForm = true
        settings.displayName = "Apple"
        settings.rules = AppleTokenRules()
        settings.emailTrust = .all
        settings.eventFormat = AppleEventFormat()
        // Newer relay addresses may end in icloud.com; those are known by the claim `is_private_email` only.
        settings.privateEmailDomains = ["privaterelay.appleid.com"]
        return settings
    }
}
