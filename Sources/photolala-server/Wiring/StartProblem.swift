import AccountMaintenance
import Accounts
import ObjectStorage

/// A reason why the server cannot start, for the operator.
struct StartProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

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

    /// Returns the message about an interrupted team transfer. Completed work is kept, so the step can be repeated.
    static func text(_ error: TeamTransferError, _ settings: Settings) -> String {
        switch error {
        case .account(.store(let error)): text(error, settings)
        case .account(let error): "\(error)"
        case .provider(.unavailable(let reason)):
            "request to Apple failed: \(reason). Run the step again to resume it"
        case .provider(.misconfigured(let reason)):
            "Apple rejected the team's key or the app: \(reason). Check apple.teamID, apple.keyID, apple.privateKey "
                + "and --client. --prepare requires the old team's key, --complete the new team's"
        case .provider(.refused): "Apple rejected the request"
        }
    }
}
