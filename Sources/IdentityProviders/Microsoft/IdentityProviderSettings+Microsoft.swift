import PhotolalaAPI

extension IdentityProviderSettings {
    /// The settings for Sign in with Microsoft, work and personal accounts, version 2.0 of its identity platform.
    ///
    /// Apps must request the scope `profile`: the identity consists of the tenant id and the object id, and the object
    /// id requires that scope. E-mail addresses are ignored. Microsoft's keys name no algorithm, so RS256 is pinned.
    /// - Parameter audiences: the application (client) ids.
    package static func microsoft(audiences: [String]) -> IdentityProviderSettings {
        let host = "https://login.microsoftonline.com"
        var settings = IdentityProviderSettings(
            name: .microsoft, issuers: ["\(host)/\(MicrosoftTokenRules.placeholder)/v2.0"],
            keySet: .url("\(host)/common/discovery/v2.0/keys"), audiences: audiences
        )
        settings.browserEndpoints.authorizationURL = "\(host)/common/oauth2/v2.0/authorize"
        settings.browserEndpoints.tokenURL = "\(host)/common/oauth2/v2.0/token"
        settings.displayName = "Microsoft"
        settings.rules = MicrosoftTokenRules()
        return settings
    }
}
