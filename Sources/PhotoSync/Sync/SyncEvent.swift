import ObjectStorage
import PhotoCatalog

/// An event that a running sync reports. Events come from several tasks.
package enum SyncEvent: Sendable {
    /// An event of scanning the folder and of uploading its new files.
    case toLibrary(BackupEvent)
    /// An event of downloading new entries to the folder.
    case toFolder(RestoreEvent)
}

/// The reason why a sync did not begin.
package enum SyncError: Error, Equatable, Sendable {
    /// Another sync of this folder is running, on this device or on another one that has access to the folder.
    case underWay
    /// A folder above or inside this one is synced, too; the associated value is its path.
    case nested(String)
    /// The download of the first sync was not confirmed. Nothing was changed.
    case notConfirmed
    case folder(FileError)
    /// The state of this device at a path cannot be read or written.
    case state(FileError, path: String)
    case catalog(CatalogError)
    case store(ObjectStoreError)
    case cancelled

    init(folder error: FileError) { self = error == .cancelled ? .cancelled : .folder(error) }

    init(state error: FileError, at path: String) {
        self = error == .cancelled ? .cancelled : .state(error, path: path)
    }

    init(_ error: BackupError) {
        switch error {
        case .folder(let error): self = .folder(error)
        case .state(let error, let path): self = .state(error, path: path)
        case .catalog(let error): self = .catalog(error)
        case .store(let error): self = .store(error)
        // A sync reads a folder.
        case .source: self = .folder(.unsupported)
        case .cancelled: self = .cancelled
        }
    }
}
