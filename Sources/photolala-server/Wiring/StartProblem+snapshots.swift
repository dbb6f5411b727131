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
        case .otherStore(let error): misfit(error, settings)
        case .occupied(let key):
            "\(key) is in the store already, and nothing is ever replaced. Recover into an empty one; if a server ran on "
                + "this one meanwhile, empty it first"
        case .otherRecovery: "another snapshot was written into this store in part: go on with that one, or empty it"
        case .fileChanged: "the file changed while it was read; run it again with the file as it was"
        case .file(let reason): reason
        case .corrupted(let what): text(ObjectStoreError.corrupted(what), settings)
        case .store(let error): text(error, settings)
        }
    }

    private static func misfit(_ error: StoreStampError, _ settings: Settings) -> String {
        switch error {
        case .otherEnvironment(let environment):
            "the snapshot is of \(environment.rawValue), not of \(settings.environment.rawValue)"
        case .otherSubjects(let mode): "the snapshot has \(mode.rawValue) subjects: leave the setting subjects out"
        case .otherLayout(let layout):
            "the snapshot is of layout \(layout), this version reads \(StoreStamp.currentLayout): use the version that "
                + "it was made with"
        case .missingKey(let id): "the snapshot needs the master key \(id): add it to keys.previous"
        case .otherKey(let id):
            "the master key \(id) in the settings is not the one that the snapshot was made with: put the right key "
                + "under that id"
        case .beingRecovered, .beingMoved, .olderLayout, .stampLost: text(error, settings)
        }
    }
}
