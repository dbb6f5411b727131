import Accounts
import Foundation

/// How one provider writes security events: what surrounds the token, and what its events are called.
protocol EventFormat: Sendable {
    /// The token in a webhook's body.
    /// - Throws: `malformed`.
    func token(in body: Data) throws(IdentityTokenError) -> String

    /// The values of `iss` that its event tokens have.
    func issuers(_ settings: IdentityProviderSettings) -> [String]

    /// What a verified token tells. Events that are not known tell nothing.
    /// - Throws: `malformed`.
    func events(
        in claims: EventClaims, _ settings: IdentityProviderSettings
    ) throws(IdentityTokenError) -> [ProviderEvent]
}
