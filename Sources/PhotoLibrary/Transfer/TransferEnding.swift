/// How a backup or restore came to its end.
package enum TransferEnding: Sendable, Equatable {
    /// Every file was tried.
    case completed
    /// The task was cancelled; what was done stays done.
    case cancelled
    case stopped(TransferStop)
}

/// Why trying further files made no sense. What was done stays done, and running again goes on from there.
package enum TransferStop: Sendable, Equatable {
    /// The store refuses the credentials or the act.
    case denied(String)
    /// The store or the local disk is full.
    case outOfSpace
    /// The account has no room for what was to be sent next.
    case overQuota
    /// The folder cannot be written to, or what this device remembers of it.
    case folder(FileError)
    /// Several files in a row failed at the store.
    case storeUnavailable(String)
    /// The photos are stored, but the catalog could not be moved on; the next backup does it.
    case catalog(CatalogError)
}
