import IdentityProviders

extension SettingsReader {
    /// The providers that have audiences.
    mutating func providers() -> [IdentityProviderSettings] {
        [
            provider(.apple) { .apple(audiences: $0) },
            provider(.google) { .google(audiences: $0) },
        ].compactMap { $0 }
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
        settings.keySetURL = text(names.keySetURL) ?? settings.keySetURL
        settings.tokenURL = text(names.tokenURL) ?? settings.tokenURL
        settings.revokeURL = text(names.revokeURL) ?? settings.revokeURL
        replace(&settings.authoritativeEmailDomains, names.emailDomains)
        if let name = names.authorizedParties { replace(&settings.authorizedParties, name) }
        return settings
    }

    private mutating func replace(_ values: inout [String], _ name: SettingName) {
        let given = list(name)
        if !given.isEmpty { values = given }
    }
}

/// The settings of one provider.
private struct ProviderSettingNames {
    let audiences: SettingName
    let issuers: SettingName
    let keySetURL: SettingName
    let tokenURL: SettingName
    let revokeURL: SettingName
    let emailDomains: SettingName
    var authorizedParties: SettingName?

    /// All but the audiences, without which they mean nothing.
    var others: [SettingName] {
        [issuers, keySetURL, tokenURL, revokeURL, emailDomains] + [authorizedParties].compactMap { $0 }
    }

    static let apple = ProviderSettingNames(
        audiences: .appleAudiences, issuers: .appleIssuers, keySetURL: .appleKeySetURL, tokenURL: .appleTokenURL,
        revokeURL: .appleRevokeURL, emailDomains: .appleEmailDomains
    )
    static let google = ProviderSettingNames(
        audiences: .googleAudiences, issuers: .googleIssuers, keySetURL: .googleKeySetURL, tokenURL: .googleTokenURL,
        revokeURL: .googleRevokeURL, emailDomains: .googleEmailDomains, authorizedParties: .googleAuthorizedParties
    )
}
