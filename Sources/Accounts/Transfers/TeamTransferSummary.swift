import PhotolalaAPI

/// What a step of a team transfer came to.
package struct TeamTransferSummary: Sendable, Equatable {
    /// The provider's links that have, or had at the beginning, a subject of the old team.
    package var links = 0
    /// Those whose transfer id is kept.
    package var prepared = 0
    /// Those with a subject of the new team beside the old one.
    package var completed = 0
    /// Links whose old subject is gone.
    package var settled = 0

    package init() {}
}

/// A link that could not be taken along.
package struct TeamTransferFinding: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The provider does not know this person, or the transfer's 60 days are over.
        case unknownToProvider = "unknown_to_provider"
        /// The new subject has signed up with an account of its own.
        case subjectTaken = "subject_taken"
        /// The subject or the transfer's id is sealed with a key that is not configured.
        case subjectUnreadable = "subject_unreadable"
        /// The account is damaged, or others kept changing it.
        case accountInTrouble = "account_in_trouble"
    }

    package let kind: Kind
    package let user: UserID
    package let link: LinkID?
}

/// Why a team transfer stopped.
package enum TeamTransferError: Error, Equatable, Sendable {
    case account(AccountError)
    case provider(ProviderTokenError)
}
