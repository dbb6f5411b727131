import PhotolalaAPI

/// The logo on a provider's button, which each brand prescribes.
enum ProviderLogo {
    /// Returns the logo's HTML; empty for providers without one.
    static func html(of provider: ProviderName) -> String {
        let bytes: [UInt8] =
            switch provider {
            case .apple: PackageResources.apple_svg
            case .google: PackageResources.google_svg
            case .facebook: PackageResources.facebook_svg
            case .microsoft: PackageResources.microsoft_svg
            default: []
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}
