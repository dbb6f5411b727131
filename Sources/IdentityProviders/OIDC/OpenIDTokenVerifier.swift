import Accounts
import Foundation
import Logging
import PhotolalaAPI
import Transport

/// Checks ID tokens of one OpenID Connect provider (OpenID Connect Core section 3.1.3.7). Everything that can be
/// checked without a key is checked first, so that no token made up by a stranger causes a fetch.
package struct OpenIDTokenVerifier: IdentityTokenVerifier {
    private let settings: IdentityProviderSettings
    private let keys: KeySetCache
    private let now: @Sendable () -> Date

    /// - Parameter limits: how long keys are kept and how often the provider may be asked for them.
    package init(
        settings: IdentityProviderSettings, transport: any HTTPTransport,
        limits: KeySetCacheLimits = KeySetCacheLimits(), logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.now = now
        keys = KeySetCache(url: settings.keySetURL, transport: transport, limits: limits, logger: logger, now: now)
    }

    package var provider: ProviderName { settings.name }

    package func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        let token = try CompactJWS(token)
        guard let algorithm = settings.algorithms.first(where: { $0.rawValue == token.header.algorithm }) else {
            throw .algorithmRefused
        }
        // An explicit type other than JWT marks a token made for another use (RFC 8725 section 3.11).
        if let type = token.header.type, type.uppercased() != "JWT" { throw .ruleNotMet("typ") }
        guard let keyID = token.header.keyID else { throw .unknownKey }
        let claims = try OpenIDClaims(token.payload)
        let subject = try check(claims)
        let key = try await keys.key(id: keyID, for: algorithm)
        guard token.isSigned(by: key, using: algorithm) else { throw .badSignature }
        return VerifiedIdentity(
            provider: settings.name, subject: subject, email: email(claims), nonce: claims.nonce,
            issuedAt: claims.issuedAt
        )
    }

    /// - Returns: the subject.
    private func check(_ claims: OpenIDClaims) throws(IdentityTokenError) -> String {
        guard Self.lists(settings.issuers, claims.issuer) else { throw .wrongIssuer }
        try checkAudience(claims)
        try checkTimes(claims)
        guard !claims.holdsEvents else { throw .ruleNotMet("events") }
        guard let subject = claims.subject, (1...255).contains(subject.utf8.count) else { throw .badSubject }
        return subject
    }

    /// Every audience is ours; with several the token must say which of ours asked for it.
    private func checkAudience(_ claims: OpenIDClaims) throws(IdentityTokenError) {
        for audience in claims.audiences {
            guard Self.lists(settings.audiences, audience) else { throw .wrongAudience }
        }
        guard let party = claims.authorizedParty else {
            guard claims.audiences.count == 1 else { throw .wrongAudience }
            return
        }
        guard Self.lists(settings.audiences, party) || Self.lists(settings.authorizedParties, party) else {
            throw .wrongAudience
        }
    }

    private func checkTimes(_ claims: OpenIDClaims) throws(IdentityTokenError) {
        let now = now()
        let leeway = settings.leeway
        guard now < claims.expiresAt.addingTimeInterval(leeway) else { throw .expired }
        if let notBefore = claims.notBefore {
            guard notBefore <= now.addingTimeInterval(leeway) else { throw .notCurrent }
        }
        let age = now.timeIntervalSince(claims.issuedAt)
        guard age >= -leeway, age <= settings.maximumAge + leeway else { throw .notCurrent }
    }

    private func email(_ claims: OpenIDClaims) -> VerifiedEmail? {
        guard let address = claims.email else { return nil }
        let domain = address.split(separator: "@").last.map { $0.lowercased() } ?? ""
        let isPrivate = claims.emailIsPrivate || settings.privateEmailDomains.contains(domain)
        let isProof =
            settings.authoritativeEmailDomains.contains(domain)
            || settings.hostedDomainIsAuthoritative && claims.hostedDomain != nil
        return VerifiedEmail(
            address: address, isVerified: claims.emailIsVerified, isPrivate: isPrivate,
            isAuthoritative: claims.emailIsVerified && !isPrivate && isProof
        )
    }

    /// Byte for byte: Swift's own comparison takes different spellings of a character for the same.
    private static func lists(_ allowed: [String], _ text: String) -> Bool {
        allowed.contains { $0.utf8.elementsEqual(text.utf8) }
    }
}
