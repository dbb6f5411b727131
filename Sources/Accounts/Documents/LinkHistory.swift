import Foundation
import PhotolalaAPI

/// What a provider reported about a link after it was made.
package struct LinkHistory: Codable, Sendable, Equatable {
    /// Why and when the provider revoked the link; set while it is revoked.
    package var revocation: LinkRevocation?
    /// When the last revocation happened, by the provider's clock; kept when the link is reactivated. A repeated event
    /// changes nothing.
    package var withdrawnAt: Date?
    /// When a new ID token, or the provider, last reactivated it. Events from before are ignored.
    package var reactivatedAt: Date?
    /// Sessions that it opened up to this time are invalid, whatever happens to the link.
    package var sessionsEndedAt: Date?
    /// When the provider last passed on a request to delete the account, by its clock. A repeated event changes nothing.
    package var deletionRequestedAt: Date?
    /// Whether mail to the relay address reaches its owner, and since when.
    package var mailForwarding: MailForwarding?
}

/// A revocation of a link by its provider.
package struct LinkRevocation: Codable, Sendable, Equatable {
    package enum Reason: String, Codable, Sendable {
        case consentRevoked = "consent_revoked"
        case accountDeleted = "account_deleted"
        case accountPurged = "account_purged"
        case accountDisabled = "account_disabled"
    }

    package let reason: Reason
    package let at: Date
}

/// Whether a relay address forwards.
package struct MailForwarding: Codable, Sendable, Equatable {
    package let isOn: Bool
    package let at: Date
}

/// A link's role in an Apple team transfer.
package struct LinkTransfer: Codable, Sendable, Equatable {
    /// The links of the same user's earlier subjects, the last one first.
    package var from: [LinkID]
    /// Whether those links are removed and their sessions belong to this one.
    package var isSettled: Bool
    /// When their provider last ended their sessions.
    package var sessionsEndedAt: Date?
}
