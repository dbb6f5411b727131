import Foundation
import PhotolalaAPI

/// What a provider tells about one of its people after the sign-in: a verified fact, in one form for all providers.
package struct ProviderEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The person took back the consent that our app may use the identity, or all tokens that stand for it.
        case consentRevoked
        /// The person asked at the provider for deletion, or deleted the account there.
        case accountDeleted
        /// The provider deleted or lost the account; nobody asked for anything.
        case accountPurged
        /// The provider locked the account: somebody else may have it.
        case accountDisabled
        /// It is its owner's again.
        case accountEnabled
        /// Whoever is signed in by this identity shall prove it again.
        case sessionsRevoked
        /// Whether mail to the relay address reaches its owner.
        case mailForwarding(isOn: Bool)
    }

    package let kind: Kind
    /// The provider's id for the person.
    package let subject: String
    /// When it happened, by the provider's clock.
    package let at: Date

    package init(_ kind: Kind, subject: String, at: Date) {
        self.kind = kind
        self.subject = subject
        self.at = at
    }
}

/// What of ours a provider calls when it has something to tell.
package enum ProviderCallback: String, Sendable {
    /// All events at one address, told apart by what they hold.
    case events
    /// A person took back the consent.
    case deauthorize
    /// A person wishes that what is stored be deleted, and wants to be told what becomes of it.
    case dataDeletion = "data-deletion"
}

/// Checks what a provider sends to our webhooks. One verifier serves one provider.
package protocol ProviderEventVerifier: Sendable {
    /// The provider whose events these are.
    var provider: ProviderName { get }

    /// Where it sends them.
    var callbacks: [ProviderCallback] { get }

    /// Checks signature, issuer, audience, times and form of a webhook's body (RFC 8417).
    /// - Returns: what we have something to do about, none for events that say nothing to us.
    /// - Throws: `IdentityTokenError`; `providerUnavailable` when the provider's keys could not be had.
    func events(
        in body: some Sequence<UInt8> & Sendable, to callback: ProviderCallback
    ) async throws(IdentityTokenError) -> [ProviderEvent]
}
