import AccountMaintenance
import Accounts
import HTTPListener
import ObjectStorage
import ServiceWiring

extension StartProblem {
    /// Creates a message that describes the failure of a command or of the server, and the operator's remedy.
    init(ofCommand error: any Error, _ settings: Settings) {
        switch error {
        case let error as RekeyingError: self.init(Self.text(error, settings))
        case let error as LegacyImportError: self.init(Self.text(error, settings))
        case let error as TeamTransferError: self.init(Self.text(error, settings))
        case let error as SnapshotError: self.init(Self.text(error, settings))
        case let problem as FileProblem: self.init(problem.text)
        case let error as ListenerError: self.init(error.description)
        case let problem as TLSCertificate.Problem: self.init("tls.certificate, tls.key: \(problem)")
        default: self.init(error, settings)
        }
    }

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

    private static func text(_ error: RekeyingError, _ settings: Settings) -> String {
        switch error {
        case .nothingToDo: "the store already has this key encoding under the current master key"
        case .notInProgress: "no migration in progress"
        case .alreadyInProgress(let migration):
            "re-keying to \(migration.subjects.rawValue) keys under the master key \(migration.subjectKeyID) is in "
                + "progress (\(migration.phase.rawValue)). End it with --confirm or --undo first"
        case .legacyImportInProgress:
            "legacy import in progress. End it with --confirm or --undo first"
        case .alreadyConfirmed: "the re-keying is confirmed and cannot be undone. End it with --confirm"
        case .undoInProgress: "undo in progress. End it with --undo"
        case .incomplete: "not all identity bindings can be re-keyed"
        case .conflict: "the store manifest changed concurrently. Run the command again"
        case .account(.store(let error)): text(error, settings)
        case .account(.corrupted(let what)): text(ObjectStoreError.corrupted(what), settings)
        case .account(.bindingKeysUnavailable(let error)): text(error, settings)
        case .account(let error): "changing an account failed (\(error)). Run the command again"
        }
    }
}
