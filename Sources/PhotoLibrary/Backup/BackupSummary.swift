/// What a backup did, for the person who started it.
package struct BackupSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = BackupProgress()
    package var failures: [(path: LibraryPath, failure: BackupFailure)] = []
    package var problems: [ScanProblem] = []
    package var conflicts: [CatalogConflict] = []
    package var leftOut: [LeftOutFile] = []
    package var thumbnails = ThumbnailCount()
    /// Entries in the catalog afterwards.
    package var catalogEntries = 0

    /// Whether every photo and video that was found is safe.
    package var isComplete: Bool { ending == .completed && failures.isEmpty && problems.isEmpty }
}

/// How many thumbnails a backup made.
package struct ThumbnailCount: Sendable, Equatable {
    package var stored = 0
    /// Photos of which the tool made none.
    package var notMade = 0

    mutating func count(_ outcome: ThumbnailStep.Outcome) {
        switch outcome {
        case .stored: stored += 1
        case .notMade: notMade += 1
        case .none: return
        }
    }
}
