import AccountMaintenance
import Accounts
import ObjectStorage

extension StartProblem {
    /// Returns the message about a failed snapshot or recovery, with the operator's remedy.
    static func text(_ error: SnapshotError, _ settings: Settings) -> String {
        switch error {
        case .notASnapshot: "the file is no snapshot, or one of a later version; nothing was changed"
        case .damaged(let line): "line \(line) of the snapshot is damaged; nothing of it is used. Take another one"
        case .truncated: "the snapshot ends too early; nothing of it is used. Take another one"
        case .notAuthentic(let id):
            "the snapshot is not as it was made, or another master key was called \(id) then; nothing was changed"
        case .missingKey(let id): "the snapshot needs the master key \(id): add it to keys.previous"
        case .storeMismatch(let error): mismatch(error, settings)
        case .storeNotEmpty(let key):
            "\(key) is in the store already, and nothing is ever replaced. Recover into an empty one; if a server ran on "
                + "this one meanwhile, empty it first"
        case .anotherRecoveryUnfinished:
            "another snapshot was written into this store in part: go on with that one, or empty it"
        case .fileChanged: "the file changed while it was read; run it again with the file as it was"
        case .file(let reason): reason
        case .corrupted(let what): text(ObjectStoreError.corrupted(what), settings)
        case .store(let error): text(error, settings)
        }
    }

    private static func mismatch(_ error: StoreManifestError, _ settings: Settings) -> String {
        switch error {
        case .environmentMismatch(let environment):
            "the snapshot is of \(environment.rawValue), not of \(settings.environment.rawValue)"
        case .keyEncodingMismatch(let mode):
            "the snapshot has \(mode.rawValue) subjects: leave the setting subjects out"
        case .layoutMismatch(let layout):
            "the snapshot is of layout \(layout), this version reads \(StoreManifest.currentLayout): use the version that "
                + "it was made with"
        case .missingKey(let id): "the snapshot needs the master key \(id): add it to keys.previous"
        case .keyMismatch(let id):
            "the master key \(id) in the settings is not the one that the snapshot was made with: put the right key "
                + "under that id"
        case .recoveryInProgress, .legacyImportInProgress, .legacyLayout, .manifestMissing: text(error, settings)
        }
    }
}
