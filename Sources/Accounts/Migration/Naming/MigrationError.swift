import PhotolalaAPI

/// Why a migration did not do what it was asked for.
package enum MigrationError: Error, Sendable, Equatable {
    /// The store spells subjects so already, under the current key.
    case nothingToDo
    case noneIsUnderWay
    /// Another move is under way, or this one is past carrying over.
    case isUnderWay(SubjectMigration)
    /// A move from older layouts is not confirmed yet.
    case layoutsAreMoving
    /// It cannot be undone any more; confirm again to end it.
    case isConfirmed
    /// It cannot be confirmed any more; undo again to end it.
    case isBeingUndone
    /// Something could not be moved; what was found has been reported.
    case incomplete(MigrationSummary)
    /// Another command changed the store's stamp at the same time.
    case changedMeanwhile
    case account(AccountError)
}

/// How far a migration is, counted over the whole store.
package struct MigrationSummary: Codable, Sendable, Equatable {
    package internal(set) var accounts = 0
    /// Links of accounts in use that are not being unlinked.
    package internal(set) var links = 0
    /// Of the links: claimed under every name that they have to be claimed under.
    package internal(set) var claimed = 0
    /// Of the links: claimed under the old name and not yet under the new one.
    package internal(set) var remaining = 0
    /// Of the links: pending or revoked ones that no claim stands for.
    package internal(set) var unclaimed = 0
    /// Of the links and accounts: those that cannot be moved.
    package internal(set) var problems = 0
    /// Objects under `identities/` that are no hints.
    package internal(set) var claims = 0
    /// Claims that are damaged or whose account was lost.
    package internal(set) var damagedClaims = 0

    /// Whether something has to be settled before only the new names may count.
    package var isBlocked: Bool { problems > 0 || damagedClaims > 0 }

    /// Whether nothing is left behind when only the new names count.
    package var isWhole: Bool { remaining == 0 && !isBlocked }
}
