import ObjectStorage
import PhotoCatalog

/// The results of a restore.
package struct RestoreSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = RestoreProgress()
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
    /// Photos restored beside another file with their name.
    package var restoredBeside: [(path: LibraryPath, name: String)] = []

    /// Whether every requested photo is in the folder.
    package var isComplete: Bool { ending == .completed && failures.isEmpty }
}

/// The reason why one file was not restored. Other files are not affected.
package enum RestoreFailure: Error, Equatable, Sendable {
    case file(FileError)
    /// The store does not have the content that the catalog names.
    case notStored
    /// The stored bytes differ from those that the catalog names; none of them were kept.
    case contentMismatch
    case store(ObjectStoreError)
    /// The content is archived in the store. Other files are restored.
    case archived(ArchivedPhoto)

    /// Creates the failure of a read. An archived object is not an error of the store.
    init(reading error: ObjectStoreError) { self = error == .archived ? .archived(.notRequested) : .store(error) }

    /// Whether uploading the photo again would repair it.
    package var isDamage: Bool {
        switch self {
        case .notStored, .contentMismatch, .store(.corrupted): true
        case .file, .store, .archived: false
        }
    }
}

/// The state of a photo that is stored in an archive.
package enum ArchivedPhoto: Equatable, Sendable {
    case notRequested
    /// The photo was requested, and is usually available after this time.
    case requested(within: Duration)
    /// The photo was requested earlier, and is not available yet.
    case inProgress
    /// The photo has just become available.
    case available
    /// The archive does not offer this retrieval speed, or not at this time.
    case tierUnavailable
    /// The store does not support such requests.
    case notRetrievable
    /// The request failed.
    case refused(ObjectStoreError)
}

/// The reason why a restore did not begin.
package enum RestoreError: Error, Equatable, Sendable {
    /// The target folder cannot be created or opened.
    case folder(FileError)
    case selection(SelectionError)
    case cancelled
}
