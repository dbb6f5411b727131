/// What the pages show of the operator: the service's name, its logo and color, and links.
package struct ServiceBrand: Sendable {
    /// The longest name, in characters.
    package static let longestName = 40
    package static let standardName = "Photolala"

    package static let standard = ServiceBrand()

    package let name: String
    /// `nil`: Photolala's own mark.
    package let logo: BrandLogo?
    /// `nil`: Photolala's own color.
    package let accent: AccentColor?
    package let termsURL: String?
    package let privacyURL: String?
    package let supportURL: String?
    /// Where people get more storage.
    package let plansURL: String?
    /// Where security researchers report vulnerabilities.
    package let securityURL: String?

    package init(
        name: String = Self.standardName, logo: BrandLogo? = nil, accent: AccentColor? = nil, termsURL: String? = nil,
        privacyURL: String? = nil, supportURL: String? = nil, plansURL: String? = nil,
        securityURL: String? = nil
    ) {
        (self.name, self.logo, self.accent) = (name, logo, accent)
        (self.termsURL, self.privacyURL) = (termsURL, privacyURL)
        (self.supportURL, self.plansURL, self.securityURL) = (supportURL, plansURL, securityURL)
    }
}
