import IdentityProviders

extension SettingsReader {
    /// Returns the providers that have audiences.
    mutating func providers() -> [IdentityProviderSettings] {
        [
            provider(.apple) { .apple(audiences: $0) },
            provider(.google) { .google(audiences: $0) },
            provider(.microsoft) { .microsoft(audiences: $0) },
            provider(.facebook) { .facebook(audiences: $0) },
        ].compactMap { $0 } + openIDProviders()
    }

    /// Returns the providers of `oidc`, sorted by name.
    private mutating func openIDProviders() -> [IdentityProviderSettings] {
        members(.oidc).sorted { $0.key < $1.key }.compactMap { name, value in
            let (settings, problems) = OpenIDProviderReader.read(name, value)
            problems.forEach { report($0) }
            return settings
        }
    }

    private mutating func provider(
        _ names: ProviderSettingNames, _ preset: ([String]) -> IdentityProviderSettings
    ) -> IdentityProviderSettings? {
        let audiences = list(names.audiences)
        guard !audiences.isEmpty else {
            let given = names.others.filter { text($0) != nil }.map(\.rawValue).joined(separator: ", ")
            if !given.isEmpty { report("\(names.audiences.rawValue): required with \(given)") }
            return nil
        }
        var settings = preset(audiences)
        replace(&settings.issuers, names.issuers)
        if let url = text(names.keySetURL) { settings.keySet = .url(url) }
        if settings.tokenURL != nil { settings.tokenURL = text(names.tokenURL) ?? settings.tokenURL }
        settings.revokeURL = names.revokeURL.flatMap { text($0) } ?? settings.revokeURL
        settings.userMigrationURL = names.userMigrationURL.flatMap { text($0) } ?? settings.userMigrationURL
        settings.clientAuthentication =
            names.clientKey.flatMap { appleKey($0) } ?? names.clientSecrets.flatMap { secrets($0) }
        settings.redirectURIs = names.redirectURIs.map { texts($0) } ?? [:]
        replace(&settings.hostedDomains, names.hostedDomains)
        settings.hostedDomains = settings.hostedDomains.map { $0.lowercased() }
        replace(&settings.authorizedParties, names.authorizedParties)
        replace(&settings.tenants, names.tenants)
        settings.facebookApp = names.apps.flatMap { facebookApp($0, audiences) }
        readBrowserClient(names, into: &settings)
        return settings
    }

    /// Reads the client for sign-in in a browser, if one is configured.
    private mutating func readBrowserClient(
        _ names: ProviderSettingNames, into settings: inout IdentityProviderSettings
    ) {
        if let url = text(names.authorizationURL) { settings.browserEndpoints.authorizationURL = url }
        if let url = text(names.tokenURL) { settings.browserEndpoints.tokenURL = url }
        guard let id = text(names.browserClientID) else {
            // Settings that have no effect without the client.
            let idle = names.onlyForBrowsers.filter { text($0, isSecret: $0 == names.clientSecrets) != nil }
            if !idle.isEmpty {
                let all = idle.map(\.rawValue).joined(separator: ", ")
                report("\(names.browserClientID.rawValue): required with \(all)")
            }
            return
        }
        guard settings.audiences.contains(id) else {
            report("\(names.browserClientID.rawValue): \(id) must be one of \(names.audiences.rawValue)")
            return
        }
        let app = settings.facebookApp.map { ClientAuthentication.secrets([$0.id: $0.secret]) }
        guard let authentication = settings.clientAuthentication ?? app, authentication.covers(id) else {
            let proof = names.clientKey?.privateKey ?? names.clientSecrets ?? names.apps?.secrets
            report("\(names.browserClientID.rawValue): requires \(proof?.rawValue ?? "a secret") for \(id)")
            return
        }
        settings.browserClient = BrowserClient(clientID: id, authentication: authentication)
        // Microsoft requires single-tenant apps to use the endpoints of their tenant, which do not offer other
        // accounts.
        if settings.tenants.count == 1, let tenant = settings.tenants.first {
            let own = { (url: String?) in url?.replacing("/common/", with: "/\(tenant)/") }
            settings.browserEndpoints.authorizationURL = own(settings.browserEndpoints.authorizationURL)
            settings.browserEndpoints.tokenURL = own(settings.browserEndpoints.tokenURL)
        }
    }

    /// Returns the app at Facebook if its secret is configured.
    private mutating func facebookApp(_ names: FacebookAppSettingNames, _ audiences: [String]) -> FacebookApp? {
        if audiences.count > 1 {
            let name = SettingName.facebookAudiences.rawValue
            report("\(name): must be one app, because Facebook's user ids differ between apps")
        }
        let secrets = texts(names.secrets, isSecret: true)
        for app in secrets.keys.sorted() where !audiences.contains(app) {
            report("\(names.secrets.rawValue): app \(app) is not in \(SettingName.facebookAudiences.rawValue)")
        }
        guard !secrets.isEmpty else {
            let given = [names.allowsClassicTokens, names.graphURL].filter { text($0) != nil }
            if !given.isEmpty {
                let all = given.map(\.rawValue).joined(separator: ", ")
                report("\(names.secrets.rawValue): required with \(all)")
            }
            return nil
        }
        guard let id = audiences.first, let secret = secrets[id] else { return nil }
        var app = FacebookApp(id: id, secret: secret)
        app.allowsClassicTokens = flag(names.allowsClassicTokens, default: false)
        if let url = baseURL(names.graphURL) { app.graphURL = url }
        return app
    }

    /// Returns Apple's key if all three of its settings are present.
    private mutating func appleKey(_ names: AppleKeySettingNames) -> ClientAuthentication? {
        let given = names.all.map { text($0, isSecret: $0 == names.privateKey) }
        guard given.contains(where: { $0 != nil }) else { return nil }
        let all = names.all.map(\.rawValue).joined(separator: ", ")
        guard let team = given[0], let id = given[1], let key = given[2] else {
            report("\(all): set all three or none")
            return nil
        }
        guard let key = AppleClientKey(teamID: team, keyID: id, privateKey: key) else {
            report("\(all): must be ids of 10 characters (A-Z, 0-9), and the text of the key's .p8 file")
            return nil
        }
        return .apple(key)
    }

    private mutating func secrets(_ name: SettingName) -> ClientAuthentication? {
        let secrets = texts(name, isSecret: true)
        return secrets.isEmpty ? nil : .secrets(secrets)
    }

    /// Returns an object whose values are texts.
    private mutating func texts(_ name: SettingName, isSecret: Bool = false) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in members(name, isSecret: isSecret) {
            if case .text(let text) = value, !text.isEmpty {
                texts[key] = text
            } else {
                report("\(name.rawValue): must be a string for each client id")
            }
        }
        return texts
    }

    private mutating func replace(_ values: inout [String], _ name: SettingName?) {
        guard let name else { return }
        let given = list(name)
        if !given.isEmpty { values = given }
    }
}

/// The names of one provider's settings.
private struct ProviderSettingNames {
    let audiences: SettingName
    let issuers: SettingName
    let keySetURL: SettingName
    let browserClientID: SettingName
    let authorizationURL: SettingName
    let tokenURL: SettingName
    var revokeURL: SettingName?
    var userMigrationURL: SettingName?
    var authorizedParties: SettingName?
    var tenants: SettingName?
    var clientKey: AppleKeySettingNames?
    var clientSecrets: SettingName?
    var redirectURIs: SettingName?
    var hostedDomains: SettingName?
    var apps: FacebookAppSettingNames?

    /// The settings that only sign-in in a browser uses.
    var onlyForBrowsers: [SettingName] {
        [authorizationURL] + (revokeURL == nil ? [tokenURL] + [clientSecrets].compactMap { $0 } : [])
    }

    /// All settings except the audiences. They have no effect without audiences.
    var others: [SettingName] {
        [issuers, keySetURL, browserClientID, authorizationURL, tokenURL] + (clientKey?.all ?? []) + (apps?.all ?? [])
            + [
                revokeURL, userMigrationURL, authorizedParties, tenants, clientSecrets,
                redirectURIs,
                hostedDomains,
            ].compactMap { $0 }
    }

    static let apple = ProviderSettingNames(
        audiences: .appleAudiences, issuers: .appleIssuers, keySetURL: .appleKeySetURL,
        browserClientID: .appleBrowserClientID, authorizationURL: .appleAuthorizationURL, tokenURL: .appleTokenURL,
        revokeURL: .appleRevokeURL, userMigrationURL: .appleUserMigrationURL,
        clientKey: AppleKeySettingNames(teamID: .appleTeamID, keyID: .appleKeyID, privateKey: .applePrivateKey),
        redirectURIs: .appleRedirectURIs
    )
    static let google = ProviderSettingNames(
        audiences: .googleAudiences, issuers: .googleIssuers, keySetURL: .googleKeySetURL,
        browserClientID: .googleBrowserClientID, authorizationURL: .googleAuthorizationURL, tokenURL: .googleTokenURL,
        revokeURL: .googleRevokeURL, authorizedParties: .googleAuthorizedParties,
        clientSecrets: .googleClientSecrets, redirectURIs: .googleRedirectURIs, hostedDomains: .googleHostedDomains
    )
    static let microsoft = ProviderSettingNames(
        audiences: .microsoftAudiences, issuers: .microsoftIssuers, keySetURL: .microsoftKeySetURL,
        browserClientID: .microsoftBrowserClientID, authorizationURL: .microsoftAuthorizationURL,
        tokenURL: .microsoftTokenURL, tenants: .microsoftTenants, clientSecrets: .microsoftClientSecrets
    )
    static let facebook = ProviderSettingNames(
        audiences: .facebookAudiences, issuers: .facebookIssuers, keySetURL: .facebookKeySetURL,
        browserClientID: .facebookBrowserClientID, authorizationURL: .facebookAuthorizationURL,
        tokenURL: .facebookTokenURL,
        apps: FacebookAppSettingNames(
            secrets: .facebookAppSecrets, allowsClassicTokens: .facebookAllowClassicTokens,
            graphURL: .facebookGraphURL
        )
    )
}

/// The names of the settings for Facebook's app secret.
private struct FacebookAppSettingNames {
    let secrets: SettingName
    let allowsClassicTokens: SettingName
    let graphURL: SettingName

    var all: [SettingName] { [secrets, allowsClassicTokens, graphURL] }
}

/// The names of the settings for the key that signs client secrets.
private struct AppleKeySettingNames {
    let teamID: SettingName
    let keyID: SettingName
    let privateKey: SettingName

    var all: [SettingName] { [teamID, keyID, privateKey] }
}
