import Accounts
import Foundation
import JWS
import Logging
import PhotolalaAPI
import Transport

/// Verifies ID tokens of one OpenID Connect provider (OpenID Connect Core section 3.1.3.7). Everything that can be
/// checked without a key is checked first, so that most forged tokens cause no fetch.
package struct OpenIDTokenVerifier: IdentityTokenVerifier {
    private let settings: IdentityProviderSettings
    private let keys: KeySetCache
    private let now: @Sendable () -> Date

    /// - Parameter limits: how long keys are cached and how often they may be fetched.
    package init(
        settings: IdentityProviderSettings, transport: any HTTPTransport,
        limits: KeySetCacheLimits = KeySetCacheLimits(), logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.now = now
        keys = KeySetCache(location: settings.keySet, transport: transport, limits: limits, logger: logger, now: now)
    }

    package var provider: ProviderName { settings.name }

    /// The verifier of the provider's events; `nil` if events are not accepted.
    package var events: EventTokenVerifier? { EventTokenVerifier(settings: settings, keys: keys, now: now) }

    package func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        let token = try CompactJWS(identityToken: token)
        guard let algorithm = settings.algorithms.first(where: { $0.rawValue == token.header.algorithm }) else {
            throw .algorithmRefused
        }
        // An explicit type other than JWT marks a token for another use (RFC 8725 section 3.11).
        if let type = token.header.type, type.uppercased() != "JWT" { throw .ruleNotMet("typ") }
        let keyID = token.header.keyID
        guard keyID != nil || settings.allowsTokensWithoutKeyID else { throw .unknownKey }
        let claims = try OpenIDClaims(token.payload)
        let subject = try check(claims)
        let key = try await keys.key(id: keyID, for: algorithm)
        guard settings.rules.accepts(keyOf: key.issuer, for: claims, settings) else { throw .wrongIssuer }
        guard token.isSigned(by: key, using: algorithm) else { throw .badSignature }
        return VerifiedIdentity(
            provider: settings.name, subject: subject, email: settings.rules.email(of: claims, settings),
            nonce: claims.nonce, lacksNonceSupport: settings.rules.lacksNonceSupport(claims),
            clientID: claims.audiences.count == 1 ? claims.audiences[0] : claims.authorizedParty,
            transferID: settings.rules.transferID(of: claims), issuedAt: claims.issuedAt
        )
    }

    /// - Returns: the subject.
    private func check(_ claims: OpenIDClaims) throws(IdentityTokenError) -> String {
        guard settings.rules.acceptsIssuer(of: claims, settings) else { throw .wrongIssuer }
        try checkAudience(claims)
        try checkTimes(claims)
        guard !claims.hasEvents else { throw .ruleNotMet("events") }
        let hostedDomain = claims.hostedDomain?.asciiLowercased ?? ""
        guard settings.hostedDomains.isEmpty || settings.hostedDomains.contains(hostedDomain)
        else { throw .ruleNotMet("hd") }
        guard let subject = settings.rules.subject(of: claims), (1...255).contains(subject.utf8.count) else {
            throw .badSubject
        }
        return subject
    }

    /// Requires all audiences to be among the service's; with several, `azp` must name the requesting client.
    private func checkAudience(_ claims: OpenIDClaims) throws(IdentityTokenError) {
        for audience in claims.audiences {
            guard settings.audiences.containsBytes(of: audience) else { throw .wrongAudience }
        }
        guard let authorizedParty = claims.authorizedParty else {
            guard claims.audiences.count == 1 else { throw .wrongAudience }
            return
        }
        guard
            settings.audiences.containsBytes(of: authorizedParty)
                || settings.authorizedParties.containsBytes(of: authorizedParty)
        else {
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
}
