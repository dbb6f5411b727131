/// What a backup tells while it runs. Events come from several tasks, each file's in order.
package enum BackupEvent: Sendable {
    /// The folder is about to be walked.
    case scanning
    /// More files were found; when the walk is over, all of them.
    case walked(BackupProgress, isOver: Bool)
    /// Part of a large file has gone out: so many bytes of it.
    case sent(LibraryPath, bytes: Int64, of: Int64)
    /// One file is done.
    case finished(LibraryPath, BackupOutcome, BackupProgress)
    /// The catalog in the store holds what was done so far; with how many entries, where that is counted.
    case committed(entries: Int?)
}

/// What became of one file.
package enum BackupOutcome: Sendable, Equatable {
    case uploaded
    /// The store has its content already.
    case alreadyStored
    /// It was deleted from the library's trash for good, and is not brought back.
    case deleted
    case failed(BackupFailure)
}

/// How far a backup is.
package struct BackupProgress: Sendable, Equatable {
    /// Files that were found so far, and their bytes.
    package var totalFiles = 0
    package var totalBytes: Int64 = 0
    /// Files and bytes that are settled one way or the other.
    package var finishedFiles = 0
    package var finishedBytes: Int64 = 0
    package var uploadedFiles = 0
    package var uploadedBytes: Int64 = 0
    package var alreadyStoredFiles = 0
    package var failedFiles = 0

    mutating func count(_ outcome: BackupOutcome, size: Int64) {
        finishedFiles += 1
        finishedBytes += size
        switch outcome {
        case .uploaded:
            uploadedFiles += 1
            uploadedBytes += size
        case .alreadyStored: alreadyStoredFiles += 1
        case .deleted: return
        case .failed: failedFiles += 1
        }
    }
}
