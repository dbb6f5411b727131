import AWSServices
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions
import StorageAccess

extension StartProblem {
    /// Creates a message that describes the failure and the operator's remedy.
    package init(_ error: any Error, _ settings: Settings) {
        let text: String? =
            switch error {
            case let problem as StartProblem: problem.description
            case let error as ObjectStoreError: Self.text(error, settings)
            case let fault as BucketCheck.Fault: Self.text(fault, settings)
            case let error as StoreManifestError: Self.text(error, settings)
            case let error as SessionError: Self.text(error, settings)
            case let error as CredentialIssuerError: Self.text(error)
            case let error as SecretsError: Self.text(error)
            default: nil
            }
        self.init(text ?? "unexpected error: \(error)")
    }

    package static func text(_ error: ObjectStoreError, _ settings: Settings) -> String {
        let place = settings.store.location
        let isFolder = settings.store.folder != nil
        return switch error {
        case .denied(let reason):
            settings.store.folder.map { reason + advice(on: $0.data) }
                ?? "\(place) denied access: \(reason). Check the bucket, the server's credentials and their permissions"
        case .outOfSpace, .quotaExceeded:
            "the \(isFolder ? "disk with \(place)" : "store in \(place)") is full. Free space and start again"
        case .corrupted(let what):
            "the store in \(place) is damaged (\(what)). Keep it unchanged and restore a backup, see docs/operations.md"
        case .archived:
            "\(place) has an archived object of the service. Restore it from the archive, and let lifecycle rules "
                + "archive only photos, see docs/operations.md"
        case .unavailable(let reason), .outcomeUnknown(let reason):
            "the store in \(place) is not usable: \(reason)"
                + (isFolder ? ". Another process may hold it, or the disk is full or failing" : "")
        default: "unexpected error of the store in \(place): \(error)"
        }
    }

    /// What else can be said of a folder that refuses: its format or a single file may be the cause.
    private static func advice(on folder: String) -> String {
        if access(folder, W_OK) != 0, errno == EROFS {
            return """
                . Its disk is mounted read-only. Mount it for writing, or copy the folder. docs/operations.md lists \
                the commands that work on a read-only disk
                """
        }
        guard !FileManager.default.isWritableFile(atPath: folder) else { return "" }
        return ". The user that runs the server must own the folder \(folder), mode 0700"
    }

    package static func text(_ error: StoreManifestError, _ settings: Settings) -> String {
        let store = "the store in \(settings.store.location)"
        return switch error {
        case .recoveryInProgress:
            "incomplete recovery in \(settings.store.location). Run photolala-server recover --apply with the same "
                + "file again"
        case .legacyImportInProgress(let phase):
            "incomplete legacy import in \(settings.store.location). Run photolala-server migrate "
                + (phase == .undone ? "--undo again" : "--from older-layouts --apply again")
        case .legacyLayout(let key):
            "\(settings.store.location) has a legacy layout (\(key)). Run photolala-server migrate --from "
                + "older-layouts first, so that its users keep their accounts"
        case .manifestMissing(let key):
            "\(settings.store.location) has accounts (\(key)) but no \(StorageLayout.storeManifest): an object was "
                + "lost. Restore it, or recover a snapshot into an empty store"
        case .environmentMismatch(let environment):
            "\(store) belongs to \(environment.rawValue), not to \(settings.environment.rawValue)"
        case .keyEncodingMismatch(let mode):
            "\(store) has the key encoding \(mode.rawValue), chosen at its first start. Remove the setting subjects, "
                + "or set it to \(mode.rawValue)"
        case .layoutMismatch(let layout):
            "\(store) has layout \(layout); this version requires \(StoreManifest.currentLayout). Use the version that "
                + "created it"
        case .missingKey(let id):
            "\(store) requires the master key \(id). Add it to keys.previous\(ownKey(id, settings))"
        case .keyMismatch(let id):
            "the master key \(id) in the settings is not the key of \(store). Set the original key for this "
                + "id\(ownKey(id, settings))"
        }
    }

    /// In `dev` the key is a file.
    private static func ownKey(_ id: String, _ settings: Settings) -> String {
        guard settings.environment == .dev, id == DevelopmentSecrets.masterKeyID, let folder = settings.store.folder
        else { return "" }
        return " (generated in dev: restore \(DevelopmentSecrets.folder(folder.data))/master.key)"
    }

    private static func text(_ error: CredentialIssuerError) -> String {
        switch error {
        case .unavailable(let reason): "no storage credentials: \(reason)"
        case .refused(let reason):
            "the token service refused storage credentials: \(reason). Check sts.roleARN, sts.externalID and the "
                + "role's trust policy"
        }
    }

    private static func text(_ error: SessionError, _ settings: Settings) -> String {
        switch error {
        case .store(let error): text(error, settings)
        case .corrupted(let what): text(ObjectStoreError.corrupted(what), settings)
        case .secrets(let error): text(error)
        default: "access token signing keys are not usable: \(error)"
        }
    }

    private static func text(_ error: SecretsError) -> String {
        switch error {
        case .unknownKey(let id): "the store's signing keys require the master key \(id). Add it to keys.previous"
        case .notAuthentic:
            "a master key in the settings is not the key that sealed the store's signing keys. Set the original key "
                + "for its id"
        case .sealFailed: "encryption failed"
        }
    }
}
