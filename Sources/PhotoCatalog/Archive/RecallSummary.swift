import ObjectStorage

/// The results of requesting archived photos. Files are counted once for each content.
package struct RecallSummary: Sendable {
    /// How a recall ended.
    package enum Ending: Sendable, Equatable {
        /// Every content was tried.
        case completed
        case cancelled
        /// The store denied a request or did not respond.
        case stopped(ObjectStoreError)
    }

    /// The reason why one content was not requested.
    package enum Failure: Error, Sendable, Equatable {
        /// The store does not have the content that the catalog names.
        case notStored
        /// The archive does not offer this retrieval speed, or not at this time.
        case tierUnavailable
        case store(ObjectStoreError)
    }

    package var ending = Ending.completed
    package let wantedFiles: Int
    /// Contents that need no request: they are not archived, or have been restored.
    package internal(set) var readableFiles = 0
    /// Contents that are archived and were not requested, because only an estimate was wanted.
    package internal(set) var estimate = RetrievalEstimate()
    package internal(set) var requestedFiles = 0
    package internal(set) var requestedBytes: Int64 = 0
    /// Contents that were requested before and are not readable yet.
    package internal(set) var inProgressFiles = 0
    /// The usual time after which all contents that this recall requested are readable; `nil` if it requested none.
    package internal(set) var longest: Duration?
    package internal(set) var failures: [(path: LibraryPath, failure: Failure)] = []

    init(wantedFiles: Int) { self.wantedFiles = wantedFiles }

    mutating func record(_ entry: CatalogEntry, _ outcome: RecallOutcome) {
        switch outcome {
        case .readable: readableFiles += 1
        case .archived(let kind): estimate.add(kind, bytes: entry.size)
        case .requested(let time):
            requestedFiles += 1
            requestedBytes = requestedBytes.addingCapped(entry.size)
            longest = max(longest ?? .zero, time)
        case .inProgress: inProgressFiles += 1
        case .missing: failures.append((entry.path, .notStored))
        case .tierUnavailable: failures.append((entry.path, .tierUnavailable))
        case .failed(let error): failures.append((entry.path, .store(error)))
        }
    }
}

/// The progress of requesting archived photos.
package struct RecallProgress: Sendable, Equatable {
    package let totalFiles: Int
    package let totalBytes: Int64
    package private(set) var finishedFiles = 0
    package private(set) var finishedBytes: Int64 = 0

    init(_ entries: CatalogEntries) { (totalFiles, totalBytes) = (entries.count, entries.bytes) }

    mutating func count(_ entry: CatalogEntry) {
        finishedFiles += 1
        finishedBytes = finishedBytes.addingCapped(entry.size)
    }
}
