import Accounts
import Foundation

/// The security event format of one provider: the enclosing body and the event names.
protocol EventFormat: Sendable {
    /// Returns the token in a webhook body.
    /// - Throws: `malformed`.
    func token(in body: Data) throws(IdentityTokenError) -> String

    /// Returns the accepted values of `iss` in event tokens.
    func issuers(_ settings: IdentityProviderSettings) -> [String]

    /// Returns the events of a verified token. Unknown events are ignored.
    /// - Throws: `malformed`.
    func events(
        in claims: EventClaims, _ settings: IdentityProviderSettings
    ) throws(IdentityTokenError) -> [ProviderEvent]
}
