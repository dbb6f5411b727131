import PhotoCatalog

/// An event that a running backup reports. Events come from several tasks; those of one file are in order.
package enum BackupEvent: Sendable {
    /// The folder is about to be walked.
    case scanning
    /// More files were found; `isOver` indicates that the walk is complete.
    case foundFiles(BackupProgress, isOver: Bool)
    /// Part of a file that is not on this device was downloaded, to read it; a number from 0 to 1.
    case downloading(LibraryPath, Double)
    /// Part of a large file was uploaded: the bytes so far and the length of the file.
    case sent(LibraryPath, bytes: Int64, of: Int64)
    /// One file is finished.
    case finished(LibraryPath, BackupOutcome, BackupProgress)
    /// The pending changes were committed to the catalog in the store; `entries` is its size, if the catalog is loaded.
    case committed(entries: Int?)
}

/// The outcome for one file.
package enum BackupOutcome: Sendable, Equatable {
    case uploaded
    /// The store already has its content.
    case alreadyStored
    /// The content was permanently deleted from the trash and is not restored.
    case deleted
    /// It is uploaded later, in the background.
    case deferred
    case failed(BackupFailure)
}

/// The progress of a backup.
package struct BackupProgress: Sendable, Equatable {
    /// Files found so far, and their bytes.
    package var totalFiles = 0
    package var totalBytes: Int64 = 0
    /// Files that are finished, with any outcome, and their bytes.
    package var finishedFiles = 0
    package var finishedBytes: Int64 = 0
    package var uploadedFiles = 0
    package var uploadedBytes: Int64 = 0
    package var alreadyStoredFiles = 0
    package var failedFiles = 0
    /// Files that are uploaded later, in the background.
    package var deferredFiles = 0

    mutating func count(_ outcome: BackupOutcome, size: Int64) {
        finishedFiles += 1
        finishedBytes += size
        switch outcome {
        case .uploaded:
            uploadedFiles += 1
            uploadedBytes += size
        case .alreadyStored: alreadyStoredFiles += 1
        case .deleted: return
        case .deferred: deferredFiles += 1
        case .failed: failedFiles += 1
        }
    }
}
