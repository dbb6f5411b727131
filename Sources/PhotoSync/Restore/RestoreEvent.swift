import PhotoCatalog

/// An event that a running restore reports. Events come from several tasks; those of one file are in order.
package enum RestoreEvent: Sendable {
    /// The catalog was read, so the totals are known.
    case started(RestoreProgress)
    /// Part of a file was downloaded: the bytes so far and the size of the file.
    case received(LibraryPath, bytes: Int64, of: Int64)
    /// One file is finished.
    case finished(LibraryPath, RestoreOutcome, RestoreProgress)
}

/// The outcome for one file.
package enum RestoreOutcome: Sendable, Equatable {
    case restored
    /// A file with the same content already exists.
    case alreadyThere
    /// Another file exists and is kept; the photo was restored beside it under this name.
    case restoredBeside(String)
    case failed(RestoreFailure)
}

/// The progress of a restore.
package struct RestoreProgress: Sendable, Equatable {
    package var totalFiles = 0
    package var totalBytes: Int64 = 0
    /// Files that are finished, with any outcome, and their bytes.
    package var finishedFiles = 0
    package var finishedBytes: Int64 = 0
    package var restoredFiles = 0
    package var restoredBytes: Int64 = 0
    package var alreadyThereFiles = 0
    package var failedFiles = 0

    mutating func count(_ outcome: RestoreOutcome, size: Int64) {
        finishedFiles += 1
        finishedBytes = finishedBytes.addingCapped(size)
        switch outcome {
        case .restored, .restoredBeside:
            restoredFiles += 1
            restoredBytes = restoredBytes.addingCapped(size)
        case .alreadyThere: alreadyThereFiles += 1
        case .failed: failedFiles += 1
        }
    }
}
