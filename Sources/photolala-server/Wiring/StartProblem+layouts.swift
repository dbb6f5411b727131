import AccountMaintenance
import Accounts
import ObjectStorage

extension StartProblem {
    /// Returns the message about a failed legacy import, with the operator's remedy.
    static func text(_ error: LegacyImportError, _ settings: Settings) -> String {
        switch error {
        case .notInProgress: "no migration in progress"
        case .unfinished: "the legacy import is incomplete. Run --from older-layouts --apply again first"
        case .alreadyConfirmed: "the legacy import is confirmed and cannot be undone. End it with --confirm"
        case .undoInProgress: "undo in progress. End it with --undo"
        case .incomplete: "some copies failed verification"
        case .inUse(let user):
            "account \(user) was used since its import, and undoing would remove the changes. Nothing was changed. End "
                + "the import with --confirm"
        case .rekeyingInProgress: "re-keying in progress. End it with --confirm or --undo first"
        case .conflict: "the store manifest changed concurrently. Run the command again"
        case .manifest(let error): text(error, settings)
        case .account(.store(let error)): text(error, settings)
        case .account(.corrupted(let what)): text(ObjectStoreError.corrupted(what), settings)
        case .account(let error): "changing an account failed (\(error)). Run the command again"
        }
    }
}
