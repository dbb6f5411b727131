import PhotolalaAPI

/// An error from a legacy import.
package enum LayoutMigrationError: Error, Sendable, Equatable {
    case noneIsUnderWay
    /// Some objects are not at their destination yet; apply resumes the import.
    case isUnfinished
    /// It can no longer be undone; confirm again to complete it.
    case isConfirmed
    /// It can no longer be resumed; undo again to complete the undo.
    case isBeingUndone
    /// Some copies are unfinished or have changed; the findings have been reported.
    case incomplete(LayoutSummary)
    /// The account was used or created after the import; undoing would delete its data.
    case inUse(UserID)
    /// The store's identity bindings are being re-keyed.
    case subjectsAreMoving
    /// A concurrent command changed the store manifest.
    case changedMeanwhile
    /// The store does not match the settings, or its state does not allow an import.
    case stamp(StoreStampError)
    case account(AccountError)
}
