import PhotolalaAPI

/// The logo on a provider's button, which each brand prescribes.
enum ProviderLogo {
    /// Returns the logo's HTML; empty for providers without one.
    static func html(of provider: ProviderName) -> String {
        ProviderName.builtIn.contains(provider) ? Icon.html(named: provider.description) : ""
    }
}
