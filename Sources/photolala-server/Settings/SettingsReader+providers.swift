import IdentityProviders

extension SettingsReader {
    /// The providers that have audiences.
    mutating func providers() -> [IdentityProviderSettings] {
        [
            provider(.apple) { .apple(audiences: $0) },
            provider(.google) { .google(audiences: $0) },
            provider(.microsoft) { .microsoft(audiences: $0) },
            provider(.facebook) { .facebook(audiences: $0) },
        ].compactMap { $0 } + openIDProviders()
    }

    /// The providers of `oidc`, in the order of their names.
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
            if !given.isEmpty { report("\(names.audiences.rawValue): must be given, as there is \(given)") }
            return nil
        }
        var settings = preset(audiences)
        replace(&settings.issuers, names.issuers)
        if let url = text(names.keySetURL) { settings.keySet = .url(url) }
        settings.tokenURL = names.tokenURL.flatMap { text($0) } ?? settings.tokenURL
        settings.revokeURL = names.revokeURL.flatMap { text($0) } ?? settings.revokeURL
        replace(&settings.authoritativeEmailDomains, names.emailDomains)
        replace(&settings.authorizedParties, names.authorizedParties)
        replace(&settings.tenants, names.tenants)
        return settings
    }

    private mutating func replace(_ values: inout [String], _ name: SettingName?) {
        guard let name else { return }
        let given = list(name)
        if !given.isEmpty { values = given }
    }
}

/// The settings of one provider.
private struct ProviderSettingNames {
    let audiences: SettingName
    let issuers: SettingName
    let keySetURL: SettingName
    var tokenURL: SettingName?
    var revokeURL: SettingName?
    var emailDomains: SettingName?
    var authorizedParties: SettingName?
    var tenants: SettingName?

    /// All but the audiences, without which they mean nothing.
    var others: [SettingName] {
        [issuers, keySetURL] + [tokenURL, revokeURL, emailDomains, authorizedParties, tenants].compactMap { $0 }
    }

    static let apple = ProviderSettingNames(
        audiences: .appleAudiences, issuers: .appleIssuers, keySetURL: .appleKeySetURL, tokenURL: .appleTokenURL,
        revokeURL: .appleRevokeURL, emailDomains: .appleEmailDomains
    )
    static let google = ProviderSettingNames(
        audiences: .googleAudiences, issuers: .googleIssuers, keySetURL: .googleKeySetURL, tokenURL: .googleTokenURL,
        revokeURL: .googleRevokeURL, emailDomains: .googleEmailDomains, authorizedParties: .googleAuthorizedParties
    )
    static let microsoft = ProviderSettingNames(
        audiences: .microsoftAudiences, issuers: .microsoftIssuers, keySetURL: .microsoftKeySetURL,
        tenants: .microsoftTenants
    )
    static let facebook = ProviderSettingNames(
        audiences: .facebookAudiences, issuers: .facebookIssuers, keySetURL: .facebookKeySetURL
    )
}
