import ObjectStorage

/// What a restore did, for the person who started it.
package struct RestoreSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = RestoreProgress()
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
    /// Photos that went beside something else of their name.
    package var restoredBeside: [(path: LibraryPath, name: String)] = []

    /// Whether every photo that was asked for is there.
    package var isComplete: Bool { ending == .completed && failures.isEmpty }
}

/// Why one file was not restored. The others go on.
package enum RestoreFailure: Error, Equatable, Sendable {
    case file(FileError)
    /// The catalog names a content that the store does not have.
    case notStored
    /// The store gave other bytes than the catalog names; none of them were kept.
    case contentMismatch
    case store(ObjectStoreError)

    /// Whether sending the photo again would mend it.
    package var isDamage: Bool {
        switch self {
        case .notStored, .contentMismatch, .store(.corrupted): true
        case .file, .store: false
        }
    }
}

/// Why a restore did not begin.
package enum RestoreError: Error, Equatable, Sendable {
    /// The target folder cannot be made or opened.
    case folder(FileError)
    case catalog(CatalogError)
    case cancelled
}
