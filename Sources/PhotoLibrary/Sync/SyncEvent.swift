import ObjectStorage

/// What a sync tells while it runs. Events come from several tasks.
package enum SyncEvent: Sendable {
    /// Of looking at the folder, and of bringing what is new there to the library.
    case toLibrary(BackupEvent)
    /// Of bringing what is new in the library to the folder.
    case toFolder(RestoreEvent)
}

/// Why a sync did not begin.
package enum SyncError: Error, Equatable, Sendable {
    /// Another sync of this folder is under way, on this device or on another that has the folder, too.
    case underWay
    /// A folder above or inside this one is synced, too: its path.
    case nested(String)
    case folder(FileError)
    case catalog(CatalogError)
    case store(ObjectStoreError)
    case cancelled

    init(_ error: BackupError) {
        switch error {
        case .folder(let error): self = .folder(error)
        case .catalog(let error): self = .catalog(error)
        case .store(let error): self = .store(error)
        case .cancelled: self = .cancelled
        }
    }
}
