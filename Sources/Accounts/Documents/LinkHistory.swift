import Foundation
import PhotolalaAPI

/// What a provider told of a link since it was made.
package struct LinkHistory: Codable, Sendable, Equatable {
    /// Why and when the provider withdrew the link; set while it is revoked.
    package var revocation: LinkRevocation?
    /// When what last withdrew it happened, by the provider's clock; kept when the link comes back. The same word again
    /// changes nothing.
    package var withdrawnAt: Date?
    /// When a fresh proof, or the provider, last brought it back. Events from before are over.
    package var reactivatedAt: Date?
    /// Sessions that it opened until then are over, whatever becomes of the link.
    package var sessionsEndedAt: Date?
    /// Whether mail to the relay address reaches its owner, and since when.
    package var mailForwarding: MailForwarding?
}

/// The end of a provider's word for a link.
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

/// The wish that an account be deleted, until the deletion begins.
package struct DeletionRequest: Codable, Sendable, Equatable {
    /// Through whom it came.
    package let provider: ProviderName
    package let link: LinkID
    package let at: Date
}

/// A link's place in a team transfer.
package struct LinkTransfer: Codable, Sendable, Equatable {
    /// The links of the same person's earlier subjects, the last one first.
    package var from: [LinkID]
    /// Those are gone, and their sessions are this one's.
    package var isSettled: Bool
    /// When their provider last ended sessions of theirs.
    package var sessionsEndedAt: Date?
}
