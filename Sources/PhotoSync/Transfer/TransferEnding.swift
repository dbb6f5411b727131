import PhotoCatalog

/// How a backup, restore, sync, verification or date refresh ended.
package enum TransferEnding: Sendable, Equatable {
    /// Every file was tried.
    case completed
    /// The task was cancelled; finished work remains.
    case cancelled
    case stopped(TransferStop)
}

/// The reason why a transfer stopped before trying all files. Finished work remains, and another run continues from
/// there.
package enum TransferStop: Sendable, Equatable {
    /// The store refused the credentials or the operation.
    case denied(String)
    /// The store is full. A full disk of this device is an error of the folder.
    case storeFull
    /// The quota of the account does not allow the next upload.
    case overQuota
    /// The folder cannot be written.
    case folder(FileError)
    /// The state of this device at a path cannot be read or written.
    case state(FileError, path: String)
    /// The source of assets cannot be read any more.
    case source(SourceError)
    /// Several files in a row failed at the store.
    case storeUnavailable(String)
    /// The photos are stored, but the catalog could not be updated; the next backup does it.
    case catalog(CatalogError)
}
