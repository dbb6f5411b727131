/// What a backup did, for the person who started it.
package struct BackupSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = BackupProgress()
    package var failures: [(path: LibraryPath, failure: BackupFailure)] = []
    package var problems: [ScanProblem] = []
    package var conflicts: [CatalogConflict] = []
    package var leftOut: [LeftOutFile] = []
    /// Entries in the catalog afterwards.
    package var catalogEntries = 0

    /// Whether every photo and video that was found is safe.
    package var isComplete: Bool { ending == .completed && failures.isEmpty && problems.isEmpty }
}
