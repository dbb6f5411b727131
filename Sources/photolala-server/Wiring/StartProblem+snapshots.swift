import AccountMaintenance
import Accounts
import ObjectStorage

extension StartProblem {
    /// Returns the message about a failed snapshot or recovery, with the operator's remedy.
    static func text(_ error: SnapshotError, _ settings: Settings) -> String {
        switch error {
        case .notASnapshot: "not a snapshot, or one of a later version. Nothing was changed"
        case .damaged(let line): "damaged snapshot at line \(line). Nothing was changed. Use another snapshot"
        case .truncated: "truncated snapshot. Nothing was changed. Use another snapshot"
        case .notAuthentic(let id):
            "the snapshot was altered, or sealed with another master key \(id). Nothing was changed"
        case .missingKey(let id): "the snapshot requires the master key \(id). Add it to keys.previous"
        case .storeMismatch(let error): mismatch(error, settings)
        case .storeNotEmpty(let key):
            "\(key) already exists in the store and is not replaced. Recover into an empty store; if a server ran on "
                + "this one, empty it first"
        case .anotherRecoveryUnfinished:
            "incomplete recovery of another snapshot. Resume that recovery, or empty the store"
        case .fileChanged: "the file changed during the recovery. Run it again with the original file"
        case .file(let reason): reason
        case .corrupted(let what): text(ObjectStoreError.corrupted(what), settings)
        case .store(let error): text(error, settings)
        }
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
