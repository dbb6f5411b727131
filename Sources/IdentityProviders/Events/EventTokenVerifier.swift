import Accounts
import Foundation
import JWS
import PhotolalaAPI

/// Verifies the security event tokens of a provider with the same keys as its ID tokens.
package struct EventTokenVerifier: ProviderEventVerifier {
    private let settings: IdentityProviderSettings
    private let format: any EventFormat
    private let keys: KeySetCache
    private let now: @Sendable () -> Date

    init?(settings: IdentityProviderSettings, keys: KeySetCache, now: @escaping @Sendable () -> Date) {
        guard let format = settings.eventFormat else { return nil }
        self.settings = settings
        self.format = format
        self.keys = keys
        self.now = now
    }

    package var provider: ProviderName { settings.name }

    package var callbacks: [ProviderCallback] { [.events] }

    package func events(
        in body: some Sequence<UInt8> & Sendable, to callback: ProviderCallback
    ) async throws(IdentityTokenError) -> [ProviderEvent] {
        let token = try CompactJWS(identityToken: try format.token(in: Data(body)))
        guard let algorithm = settings.algorithms.first(where: { $0.rawValue == token.header.algorithm }) else {
            throw .algorithmRefused
        }
        guard Self.isType(token.header.type) else { throw .ruleNotMet("typ") }
        guard let keyID = token.header.keyID else { throw .unknownKey }
        let claims = try EventClaims(token.payload)
        try check(claims)
        let key = try await keys.key(id: keyID, for: algorithm)
        guard token.isSigned(by: key, using: algorithm) else { throw .badSignature }
        return try format.events(in: claims, settings)
    }

    /// Accepts `secevent+jwt` (RFC 8417 section 2.3), `jwt` and a missing type.
    private static func isType(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return true }
        return ["jwt", "secevent+jwt", "application/secevent+jwt"].contains(type)
    }

    private func check(_ claims: EventClaims) throws(IdentityTokenError) {
        guard format.issuers(settings).containsBytes(of: claims.issuer) else { throw .wrongIssuer }
        // An event may name several apps of the team.
        guard claims.audiences.contains(where: settings.audiences.containsBytes) else { throw .wrongAudience }
        let now = now()
        guard claims.issuedAt <= now.addingTimeInterval(settings.leeway) else { throw .notCurrent }
        if let expiresAt = claims.expiresAt {
            guard now < expiresAt.addingTimeInterval(settings.leeway) else { throw .expired }
        }
    }
}
