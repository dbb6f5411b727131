import PhotoCatalog

/// The results of a verification.
package struct VerificationSummary: Sendable {
    package var ending = TransferEnding.completed
    /// The number of distinct contents from which the sample was drawn.
    package let contents: Int
    package var progress = ReadingProgress(totalFiles: 0, totalBytes: 0)
    /// Contents that are missing or damaged, each with its first path.
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
    /// Contents that could not be read because they are archived, each with its first path.
    package var archived: [LibraryPath] = []
    /// Contents that were read or found missing, and their bytes.
    package var checkedFiles = 0
    package var checkedBytes: Int64 = 0

    init(contents: Int) { self.contents = contents }

    mutating func record(_ entry: CatalogEntry, _ failure: RestoreFailure?, _ streak: inout FailureStreak) {
        progress.finishedFiles += 1
        progress.finishedBytes = progress.finishedBytes.addingCapped(entry.size)
        if case .archived = failure {
            archived.append(entry.path)
            return streak.reset()
        }
        checkedFiles += 1
        checkedBytes = checkedBytes.addingCapped(entry.size)
        guard let failure else { return streak.reset() }
        progress.failedFiles += 1
        failures.append((entry.path, failure))
        guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
        ending = .stopped(reason)
    }
}

/// An event that a running verification reports. Events come from several tasks; those of one content are in order.
package enum VerificationEvent: Sendable {
    /// The sample was drawn, so the totals are known.
    case started(ReadingProgress)
    case received(LibraryPath, bytes: Int64)
    case finished(LibraryPath, ReadingProgress)
}
