/// What a refresh of dates did, or would do.
package struct DateRefreshSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = ReadingProgress(totalFiles: 0, totalBytes: 0)
    /// Photos and videos of which a date or an offset was found that the catalog did not have.
    package var datedFiles = 0
    /// Of them, those whose offset is the zone's.
    package var zonedFiles = 0
    /// Those of which nothing more was found.
    package var undatedFiles = 0
    /// Those that could not be read.
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
    /// Those that were not read, for they are archived.
    package var archived: [LibraryPath] = []

    mutating func settle(_ entry: CatalogEntry, _ outcome: DateRefresh.Outcome, _ streak: inout FailureStreak) {
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

/// Why a refresh of dates could not begin.
package enum DateRefreshError: Error, Equatable, Sendable {
    case selection(SelectionError)
    /// A folder of this device that cannot be used.
    case folder(String, FileError)
    case cancelled
}
