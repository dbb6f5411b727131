import Foundation
import PhotolalaAPI

/// A verified event that a provider reports about a user after sign-in, in one form for all providers.
package struct ProviderEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The user withdrew consent for our app to use the identity, or revoked all its tokens.
        case consentRevoked
        /// The user requested deletion at the provider, or deleted the account there.
        case accountDeleted
        /// The provider deleted or lost the account without a request by the user.
        case accountPurged
        /// The provider locked the account, which may have been hijacked.
        case accountDisabled
        /// The account is back under its owner's control.
        case accountEnabled
        /// Sessions opened by this identity must authenticate again.
        case sessionsRevoked
        /// Whether mail to the relay address reaches its owner.
        case mailForwarding(isOn: Bool)
    }

    package let kind: Kind
    /// The provider's id for the user.
    package let subject: String
    /// When it happened, by the provider's clock.
    package let at: Date

    package init(_ kind: Kind, subject: String, at: Date) {
        self.kind = kind
        self.subject = subject
        self.at = at
    }
}

/// The endpoints that a provider calls to report events.
package enum ProviderCallback: String, Sendable {
    /// All events at one URL, distinguished by their content.
    case events
    /// A user withdrew consent.
    case deauthorize
    /// A user requests deletion of the stored data and a status of the deletion.
    case dataDeletion = "data-deletion"
}

/// Verifies events that one provider sends to our webhooks.
package protocol ProviderEventVerifier: Sendable {
    /// The provider that sends the events.
    var provider: ProviderName { get }

    /// The endpoints to which it sends them.
    var callbacks: [ProviderCallback] { get }

    /// Verifies signature, issuer, audience, times and form of a webhook body (RFC 8417).
    /// - Returns: the events that require an action; empty if none do.
    /// - Throws: `IdentityTokenError`; `providerUnavailable` if the provider's keys could not be fetched.
    func events(
        in body: some Sequence<UInt8> & Sendable, to callback: ProviderCallback
    ) async throws(IdentityTokenError) -> [ProviderEvent]
}
