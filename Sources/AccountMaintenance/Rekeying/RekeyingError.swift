import Accounts
import PhotolalaAPI

/// An error from re-keying.
package enum RekeyingError: Error, Sendable, Equatable {
    /// The store already uses this key encoding under the current key.
    case nothingToDo
    case notInProgress
    /// Another re-keying is in progress, or this one is past carrying over.
    case alreadyInProgress(RekeyingState)
    /// A legacy import is not confirmed yet.
    case legacyImportInProgress
    /// It can no longer be undone; confirm again to complete it.
    case alreadyConfirmed
    /// It can no longer be confirmed; undo again to complete it.
    case undoInProgress
    /// Some bindings could not be re-keyed; the findings have been reported.
    case incomplete(RekeyingSummary)
    /// A concurrent command changed the store manifest.
    case conflict
    case account(AccountError)
}

/// The progress of re-keying, counted over the whole store.
package struct RekeyingSummary: Codable, Sendable, Equatable {
    package internal(set) var accounts = 0
    /// Links of accounts in use that are not being unlinked.
    package internal(set) var links = 0
    /// Links that are bound under every required key.
    package internal(set) var claimed = 0
    /// Links that are bound under the old key but not yet under the new one.
    package internal(set) var remaining = 0
    /// Links without a binding that are pending, revoked or recent, and active links whose identity is bound to another
    /// account.
    package internal(set) var unclaimed = 0
    /// Links and accounts that cannot be re-keyed.
    package internal(set) var problems = 0
    /// Objects under `identities/` that are not hints.
    package internal(set) var claims = 0
    /// Bindings that are damaged or whose account was lost.
    package internal(set) var damagedClaims = 0

    /// Whether problems must be resolved before only the new keys can be in force.
    package var isBlocked: Bool { problems > 0 || damagedClaims > 0 }

    /// Whether nothing would be lost with only the new keys in force.
    package var isComplete: Bool { remaining == 0 && !isBlocked }
}
