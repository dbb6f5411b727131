/// What a restore tells while it runs. Events come from several tasks, each file's in order.
package enum RestoreEvent: Sendable {
    /// The catalog is read; from now on the totals are known.
    case started(RestoreProgress)
    /// Part of a file has come: so many bytes of it.
    case received(LibraryPath, bytes: Int64, of: Int64)
    /// One file is done.
    case finished(LibraryPath, RestoreOutcome, RestoreProgress)
}

/// What became of one file.
package enum RestoreOutcome: Sendable, Equatable {
    case restored
    /// The same content stands there already.
    case alreadyThere
    /// Something else stands there and stays; the photo went beside it under this name.
    case restoredBeside(String)
    case failed(RestoreFailure)
}

/// How far a restore is.
package struct RestoreProgress: Sendable, Equatable {
    package var totalFiles = 0
    package var totalBytes: Int64 = 0
    /// Files and bytes that are settled one way or the other.
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
