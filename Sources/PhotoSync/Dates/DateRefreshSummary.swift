import PhotoCatalog

/// The results of a refresh of dates, or the expected results for a dry run.
package struct DateRefreshSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = ReadingProgress(totalFiles: 0, totalBytes: 0)
    /// Photos and videos for which a new date or offset was found.
    package var datedFiles = 0
    /// Those of them whose offset comes from the zone.
    package var zonedFiles = 0
    /// Photos and videos for which nothing new was found.
    package var undatedFiles = 0
    /// Photos and videos that could not be read.
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
    /// Photos and videos that were not read because they are archived.
    package var archived: [LibraryPath] = []

    mutating func record(_ entry: CatalogEntry, _ outcome: DateRefresh.Outcome, _ streak: inout FailureStreak) {
        progress.finishedFiles += 1
        switch outcome {
        case .dated(_, let isOfZone):
            datedFiles += 1
            if isOfZone { zonedFiles += 1 }
        case .undated: undatedFiles += 1
        case .failed(.archived): archived.append(entry.path)
        case .failed(let failure):
            progress.failedFiles += 1
            failures.append((entry.path, failure))
            guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
            ending = .stopped(reason)
            return
        }
        streak.reset()
    }
}

/// The reason why a refresh of dates could not begin.
package enum DateRefreshError: Error, Equatable, Sendable {
    case selection(SelectionError)
    /// A folder of this device cannot be used.
    case folder(String, FileError)
    case cancelled
}
