import Accounts
import PhotolalaAPI

/// What a provider's tokens mean beyond OpenID Connect. Each rule has the meaning of the standard unless a provider has
/// its own.
protocol OpenIDTokenRules: Sendable {
    /// Whether the token's issuer is this provider.
    func acceptsIssuer(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool

    /// Whether a key that belongs to one issuer, or to none in particular, may have signed this token.
    func accepts(keyOf issuer: String?, for claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool

    /// Who the person is at this provider; `nil` when the token does not say.
    func subject(of claims: OpenIDClaims) -> String?

    /// Whether the token says that its sign-in could not carry a nonce.
    func lacksNonceSupport(_ claims: OpenIDClaims) -> Bool

    /// The id under which the person was announced when the app moved to another team of the provider's.
    func transferID(of claims: OpenIDClaims) -> String?

    /// The address, with what the provider's word on it is worth.
    func email(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> VerifiedEmail?
}

/// OpenID Connect as it stands.
struct StandardTokenRules: OpenIDTokenRules {}

extension OpenIDTokenRules {
    func acceptsIssuer(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool {
        settings.issuers.containsBytes(of: claims.issuer)
    }

    func accepts(keyOf issuer: String?, for claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool { true }

    func subject(of claims: OpenIDClaims) -> String? { claims.subject }

    func lacksNonceSupport(_ claims: OpenIDClaims) -> Bool { false }

    func transferID(of claims: OpenIDClaims) -> String? { nil }

    func email(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> VerifiedEmail? {
        guard let address = claims.email else { return nil }
        let domain = address.split(separator: "@").last.map { $0.asciiLowercased } ?? ""
        let isPrivate = claims.emailIsPrivate || settings.privateEmailDomains.contains(domain)
        return VerifiedEmail(
            address: address, isVerified: claims.emailIsVerified, isPrivate: isPrivate,
            isTrusted: settings.emailTrust.covers(domain)
        )
    }
}

extension [String] {
    /// Byte for byte: Swift's own comparison takes different spellings of a character for the same.
    func containsBytes(of text: String) -> Bool { contains { $0.utf8.elementsEqual(text.utf8) } }
}
