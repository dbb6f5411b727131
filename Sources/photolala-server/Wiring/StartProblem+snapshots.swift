import AccountMaintenance
import Accounts
import ObjectStorage
import ServiceWiring

extension StartProblem {
    /// Returns the message about a failed snapshot or recovery, with the operator's remedy.
    static func text(_ error: SnapshotError, _ settings: Settings) -> String {
        switch error {
        case .notASnapshot: "not a snapshot, or one of a later version. Nothing was changed"
        case .damaged(let line): "damaged snapshot at line \(line). Nothing was changed. Use another snapshot"
        case .truncated: "truncated snapshot. Nothing was changed. Use another snapshot"
        case .notAuthentic(let id):
            "the snapshot was altered, or the master key \(id) is not the one that sealed it. Nothing was "
                + "changed\(generatedKeyAdvice(id, settings))"
        case .missingKey(let id): "the snapshot requires the master key \(id). Add it to keys.previous"
        case .storeMismatch(let error): mismatch(error, settings)
        case .storeNotEmpty(let key):
            "\(key) already exists in the store and is not replaced. Recover into an empty store, "
                + "or move identities/, accounts/ and service/ away and keep the photos. docs/operations.md, Snapshots, "
                + "shows how"
        case .anotherRecoveryUnfinished:
            "incomplete recovery of another snapshot. Resume that recovery, or empty the store"
        case .fileChanged: "the file changed during the recovery. Run it again with the original file"
        case .file(let reason): reason
        case .ledger(let failure): "deleted accounts: \(failure)"
        case .deletionNotRepeated(let reason):
            "the deletion of an account could not be repeated: \(reason). Run the recovery again"
        case .corrupted(let what): text(ObjectStoreError.corrupted(what), settings)
        case .store(let error): text(error, settings)
        }
    }

    /// In `dev` the key is a file beside the data of the snapshot's server.
    private static func generatedKeyAdvice(_ id: String, _ settings: Settings) -> String {
        guard settings.masterKey == nil, id == DevelopmentSecrets.masterKeyID, let folder = settings.store.folder
        else { return "" }
        return ". Copy development-secrets/ from the data folder of the snapshot's server to \(folder.data) first"
    }

    private static func mismatch(_ error: StoreManifestError, _ settings: Settings) -> String {
        switch error {
        case .environmentMismatch(let environment):
            "the snapshot belongs to \(environment.rawValue), not to \(settings.environment.rawValue)"
        case .keyEncodingMismatch(let mode):
            "the snapshot has the key encoding \(mode.rawValue). Remove the setting subjects"
        case .layoutMismatch(let layout):
            "the snapshot has layout \(layout); this version requires \(StoreManifest.currentLayout). Use the version "
                + "that created it"
        case .missingKey(let id): "the snapshot requires the master key \(id). Add it to keys.previous"
        case .keyMismatch(let id):
            "the master key \(id) in the settings is not the snapshot's key. Set the original key for this id"
        case .recoveryInProgress, .legacyImportInProgress, .legacyLayout, .manifestMissing: text(error, settings)
        }
    }
}
