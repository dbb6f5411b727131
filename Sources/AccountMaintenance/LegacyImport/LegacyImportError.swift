import Accounts
import PhotolalaAPI

/// An error from a legacy import.
package enum LegacyImportError: Error, Sendable, Equatable {
    case notInProgress
    /// Some objects are not at their destination yet; apply resumes the import.
    case unfinished
    /// It can no longer be undone; confirm again to complete it.
    case alreadyConfirmed
    /// It can no longer be resumed; undo again to complete the undo.
    case undoInProgress
    /// Some copies are unfinished or have changed; the findings have been reported.
    case incomplete(ImportSummary)
    /// The account was used or created after the import; undoing would delete its data.
    case inUse(UserID)
    /// The store's identity bindings are being re-keyed.
    case rekeyingInProgress
    /// A concurrent command changed the store manifest.
    case conflict
    /// The store does not match the settings, or its state does not allow an import.
    case manifest(StoreManifestError)
    case account(AccountError)
}
