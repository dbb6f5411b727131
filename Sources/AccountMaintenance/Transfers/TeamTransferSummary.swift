import Accounts
import PhotolalaAPI

/// The result of a step of a team transfer.
package struct TeamTransferSummary: Sendable, Equatable {
    /// The provider's links that have, or had at the beginning, a subject of the old team.
    package var links = 0
    /// Links whose transfer id is stored.
    package var prepared = 0
    /// Links with a subject of the new team beside the old one.
    package var completed = 0
    /// Links whose old subject was removed.
    package var settled = 0

    package init() {}
}

/// A link that could not be transferred.
package struct TeamTransferFinding: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The provider does not know this user, or the transfer's 60 days are over.
        case unknownToProvider = "unknown_to_provider"
        /// The new subject is already linked to another account.
        case subjectTaken = "subject_taken"
        /// The subject or the transfer id cannot be opened, for example because its key is not configured.
        case subjectUnreadable = "subject_unreadable"
        /// The account is damaged, or concurrent changes kept conflicting.
        case accountFailed = "account_in_trouble"
    }

    package let kind: Kind
    package let user: UserID
    package let link: LinkID?
}

/// An error that stopped a team transfer.
package enum TeamTransferError: Error, Equatable, Sendable {
    case account(AccountError)
    case provider(ProviderTokenError)
}
