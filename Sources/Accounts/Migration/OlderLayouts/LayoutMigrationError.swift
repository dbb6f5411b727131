import PhotolalaAPI

/// Why a move from older layouts did not do what it was asked for.
package enum LayoutMigrationError: Error, Sendable, Equatable {
    case noneIsUnderWay
    /// Not everything has its new place yet; apply goes on.
    case isUnfinished
    /// It cannot be undone any more; confirm again to end it.
    case isConfirmed
    /// It cannot go on any more; undo again to end it.
    case isBeingUndone
    /// Something is not as it was copied; what was found has been reported.
    case incomplete(LayoutSummary)
    /// Somebody has used this account since it was moved, or signed up: undoing would take that away.
    case inUse(UserID)
    /// The store's subjects are moving to another spelling at the same time.
    case subjectsAreMoving
    /// Another command changed the store's stamp at the same time.
    case changedMeanwhile
    /// The store and the settings do not fit, or there is no move for a store in this state.
    case stamp(StoreStampError)
    case account(AccountError)
}
