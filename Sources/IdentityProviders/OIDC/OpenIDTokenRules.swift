import Accounts
import PhotolalaAPI

/// The provider-specific rules for ID tokens. Each rule defaults to the OpenID Connect standard.
protocol OpenIDTokenRules: Sendable {
    /// Returns whether the token's issuer is this provider.
    func acceptsIssuer(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool

    /// Returns whether a key with this issuer, or without one, may have signed the token.
    func accepts(keyOf issuer: String?, for claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool

    /// Returns the person's id at this provider, or `nil` if the token has none.
    func subject(of claims: OpenIDClaims) -> String?

    /// Returns whether the token states that its sign-in does not support nonces.
    func lacksNonceSupport(_ claims: OpenIDClaims) -> Bool

    /// Returns the person's transfer id from an Apple team transfer.
    func transferID(of claims: OpenIDClaims) -> String?

    /// Returns the e-mail address and how far it is trusted.
    func email(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> VerifiedEmail?
}

/// The rules of OpenID Connect without changes.
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
    /// Compares byte for byte, because Swift's string comparison treats canonically equivalent texts as equal.
    func containsBytes(of text: String) -> Bool { contains { $0.utf8.elementsEqual(text.utf8) } }
}
