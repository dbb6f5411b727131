import AccountMaintenance
import Accounts
import ObjectStorage

extension StartProblem {
    /// Returns the message about a failed legacy import, with the operator's remedy.
    static func text(_ error: LegacyImportError, _ settings: Settings) -> String {
        switch error {
        case .notInProgress: "no migration in progress"
        case .unfinished: "not everything has its new place yet: run --from older-layouts --apply again first"
        case .alreadyConfirmed: "the move is confirmed and the old objects are going; --confirm ends it"
        case .undoInProgress: "the move is being undone; --undo ends it"
        case .incomplete: "something is not as it was copied"
        case .inUse(let user):
            "somebody has signed in to account \(user) since it was moved, or signed up as it: undoing would take that "
                + "away. Nothing was changed; --confirm is the way on"
        case .rekeyingInProgress: "a move to other subjects is under way: end it with --confirm or --undo first"
        case .conflict: "another command or a server changed the store's stamp at the same time; run this again"
        case .manifest(let error): text(error, settings)
        case .account(.store(let error)): text(error, settings)
        case .account(.corrupted(let what)): text(ObjectStoreError.corrupted(what), settings)
        case .account(let error): "a change of an account failed (\(error)); run this again"
        }
    }
}
