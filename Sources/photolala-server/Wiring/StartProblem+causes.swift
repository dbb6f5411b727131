import AWSServices
import AccountMaintenance
import Accounts
import DirectoryStorage
import Foundation
import HTTPListener
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions

extension StartProblem {
    /// Creates a message that describes the failure and the operator's remedy.
    init(_ error: any Error, _ settings: Settings) {
        let text: String? =
            switch error {
            case let problem as StartProblem: problem.description
            case let error as ObjectStoreError: Self.text(error, settings)
            case let fault as BucketCheck.Fault: Self.text(fault, settings)
            case let error as StoreManifestError: Self.text(error, settings)
            case let error as RekeyingError: Self.text(error, settings)
            case let error as LegacyImportError: Self.text(error, settings)
            case let error as TeamTransferError: Self.text(error, settings)
            case let error as SessionError: Self.text(error, settings)
            case let error as SnapshotError: Self.text(error, settings)
            case let error as SecretsError: Self.text(error)
            case let error as ListenerError: error.description
            default: nil
            }
        self.init(text ?? "something failed that has no name here: \(error)")
    }

    static func text(_ error: ObjectStoreError, _ settings: Settings) -> String {
        let place = settings.store.location
        let isFolder = settings.store.folder != nil
        return switch error {
        case .denied(let reason):
            settings.store.folder.map { reason + advice(on: $0.data) }
                ?? "\(place) refuses: \(reason). Look at the bucket, the server's keys and what they may do"
        case .outOfSpace, .quotaExceeded:
            "the \(isFolder ? "disk with \(place)" : "store in \(place)") is full; make room and start again"
        case .corrupted(let what):
            "the store in \(place) is damaged (\(what)); leave it as it is and restore a backup, see docs/operations.md"
        case .archived:
            "\(place) has an object of the service's in an archive: bring it back from there, and let no life cycle rule "
                + "archive anything but photos, see docs/operations.md"
        case .unavailable(let reason), .outcomeUnknown(let reason):
            "the store in \(place) cannot be used: \(reason). "
                + (isFolder
                    ? "Another program holds it, or the disk is full or failing" : "It does not answer as it should")
        default: "the store in \(place) does not do as it should: \(error)"
        }
    }

    /// What else can be said of a folder that refuses: its format or a single file may be the cause.
    private static func advice(on folder: String) -> String {
        if DiskSpace.of(folder)?.isReadOnly == true {
            return """
                . Its disk is mounted read-only: mount it for writing, or copy the folder; docs/operations.md lists the commands \
                that work there
                """
        }
        guard !FileManager.default.isWritableFile(atPath: folder) else { return "" }
        return ". The user that runs the server must own the folder \(folder), mode 0700"
    }

    static func text(_ error: StoreManifestError, _ settings: Settings) -> String {
        let store = "the store in \(settings.store.location)"
        return switch error {
        case .recoveryInProgress:
            "a snapshot was written into \(settings.store.location) in part: run photolala-server recover --apply with the same file again"
        case .legacyImportInProgress(let phase):
            "objects of older layouts in \(settings.store.location) were moved in part: run photolala-server migrate "
                + (phase == .undone ? "--undo again" : "--from older-layouts --apply again")
        case .legacyLayout(let key):
            "\(settings.store.location) holds identities of an older layout (\(key)) and was never started: run "
                + "photolala-server migrate --from older-layouts first, or people would look new"
        case .manifestMissing(let key):
            "\(settings.store.location) holds accounts (\(key)) and no \(StorageLayout.storeManifest): an object was lost; "
                + "restore it, or recover a snapshot into an empty store"
        case .environmentMismatch(let environment):
            "\(store) belongs to \(environment.rawValue), not to \(settings.environment.rawValue)"
        case .keyEncodingMismatch(let mode):
            "\(store) has \(mode.rawValue) subjects, which is chosen at its first start: leave the setting subjects "
                + "out, or make it \(mode.rawValue)"
        case .layoutMismatch(let layout):
            "\(store) has layout \(layout), this version reads \(StoreManifest.currentLayout): start the version that it "
                + "was made with"
        case .missingKey(let id):
            "\(store) needs the master key \(id): add it to keys.previous\(ownKey(id, settings))"
        case .keyMismatch(let id):
            "the master key \(id) in the settings is not the one that \(store) was made with, and no identity would "
                + "be found: put the right key under that id\(ownKey(id, settings))"
        }
    }

    /// In `dev` the key is a file.
    private static func ownKey(_ id: String, _ settings: Settings) -> String {
        guard settings.environment == .dev, id == DevelopmentSecrets.masterKeyID, let folder = settings.store.folder
        else { return "" }
        return " (it was made by dev itself: restore \(DevelopmentSecrets.folder(folder.data))/master.key)"
    }

    private static func text(_ error: SessionError, _ settings: Settings) -> String {
        switch error {
        case .store(let error): text(error, settings)
        case .corrupted(let what): text(ObjectStoreError.corrupted(what), settings)
        case .secrets(let error): text(error)
        default: "the signing keys of access tokens cannot be used: \(error)"
        }
    }

    private static func text(_ error: RekeyingError, _ settings: Settings) -> String {
        switch error {
        case .nothingToDo: "the store spells subjects so already, under the current master key"
        case .notInProgress: "no migration in progress"
        case .alreadyInProgress(let migration):
            "a move to \(migration.subjects.rawValue) subjects under the master key \(migration.subjectKeyID) is "
                + "under way (\(migration.phase.rawValue)): end it with --confirm or --undo first"
        case .legacyImportInProgress:
            "a move from older layouts is under way: end it with --confirm or --undo first"
        case .alreadyConfirmed: "the move is confirmed and cannot be undone any more; --confirm ends it"
        case .undoInProgress: "the move is being undone; --undo ends it"
        case .incomplete: "not all can move"
        case .conflict: "another command changed the store's stamp at the same time; run this one again"
        case .account(.store(let error)): text(error, settings)
        case .account(.corrupted(let what)): text(ObjectStoreError.corrupted(what), settings)
        case .account(.bindingKeysUnavailable(let error)): text(error, settings)
        case .account(let error): "a change of an account failed (\(error)); run this again"
        }
    }

    private static func text(_ error: SecretsError) -> String {
        switch error {
        case .unknownKey(let id): "the store's signing keys need the master key \(id): add it to keys.previous"
        case .notAuthentic:
            "a master key in the settings is not the one that sealed the store's signing keys: put the right key under "
                + "its id"
        case .sealFailed: "the cipher of this machine does not work"
        }
    }
}
