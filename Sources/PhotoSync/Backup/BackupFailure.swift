import ObjectStorage
import PhotoCatalog

/// The reason why one file was not backed up. Other files are not affected.
package enum BackupFailure: Error, Equatable, Sendable {
    case file(FileError)
    /// The file was modified while it was read or uploaded, twice in a row.
    case changedWhileRead
    case store(ObjectStoreError)
    /// The source cannot read the asset.
    case source(SourceError)
    /// A file that was requested by its path does not belong to the library.
    case leftOut(LeftOutFile.Reason)

    /// Whether a retry may succeed.
    var isTransient: Bool {
        switch self {
        case .store(.unavailable), .store(.outcomeUnknown), .store(.conflict): true
        default: false
        }
    }
}

/// The reason why a backup did not begin.
package enum BackupError: Error, Equatable, Sendable {
    /// The folder itself cannot be read.
    case folder(FileError)
    /// The state of this device at a path cannot be read or written.
    case state(FileError, path: String)
    /// The source of assets cannot be read.
    case source(SourceError)
    case catalog(CatalogError)
    case store(ObjectStoreError)
    case cancelled
}
