import ObjectStorage

/// Why one file was not backed up. The others go on.
package enum BackupFailure: Error, Equatable, Sendable {
    case file(FileError)
    /// Somebody wrote to the file while it was read or sent, twice in a row.
    case changedWhileRead
    case store(ObjectStoreError)

    /// Whether trying again may help.
    var isPassing: Bool {
        switch self {
        case .store(.unavailable), .store(.outcomeUnknown), .store(.conflict): true
        default: false
        }
    }
}

/// Why a backup did not begin.
package enum BackupError: Error, Equatable, Sendable {
    /// The folder itself cannot be read.
    case folder(FileError)
    case catalog(CatalogError)
    case store(ObjectStoreError)
    case cancelled
}
