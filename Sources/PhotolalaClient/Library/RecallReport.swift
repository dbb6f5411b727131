import ObjectStorage
import PhotoCatalog
import PhotoSync

/// The result of requesting archived photos, or the estimate of a dry run. Photos are counted once for each content.
public struct RecallReport: Sendable, Codable, Equatable {
    /// The retrieval of the archived photos at one speed.
    public struct Option: Sendable, Codable, Equatable {
        /// The retrieval speed.
        public let speed: ArchiveRequest.Speed
        /// The number of photos whose archive supports this speed.
        public let files: Int
        /// The number of seconds after which all of them are usually available.
        public let seconds: Int
        /// The approximate cost for the operator of the photo store in US dollars, by AWS's list prices.
        public let dollars: Double

        /// The number of hours after which all of them are usually available, rounded up.
        public var hours: Int { (seconds + 3599) / 3600 }
    }

    /// Whether this was a dry run, so that nothing was requested.
    public let isDryRun: Bool
    /// The requested speed.
    public let speed: ArchiveRequest.Speed
    /// The number of days for which requested photos stay available.
    public let days: Int
    /// The number of selected photos.
    public let wantedFiles: Int
    /// The number of photos that can be restored now.
    public let readableFiles: Int
    /// The number of archived photos that were not requested. In a dry run, those that would be.
    public let archivedFiles: Int
    /// Their total size, in bytes.
    public let archivedBytes: Int64
    /// The number of photos that this call requested.
    public let askedBackFiles: Int
    /// Their total size, in bytes.
    public let askedBackBytes: Int64
    /// The number of photos that were requested earlier and are not available yet.
    public let onItsWayFiles: Int
    /// The number of seconds after which all photos that this call requested are usually available; `nil` if it requested
    /// none.
    public let comeAgainAfter: Int?
    /// In a dry run, the speeds for the archived photos, slowest first; else empty.
    public let options: [Option]
    /// Photos that could not be requested.
    public let failures: [FileFailure]
    /// Why the call stopped early; `nil` if every photo was tried.
    public let stopped: TransferStopReason?

    /// Whether all selected photos are available or requested; for a dry run, whether all of them were found.
    public var isComplete: Bool { failures.isEmpty && stopped == nil }

    init(_ summary: RecallSummary, _ request: ArchiveRequest, isDryRun: Bool, stopped: TransferStopReason?) {
        self.isDryRun = isDryRun
        (speed, days) = (request.speed, request.days)
        wantedFiles = summary.wantedFiles
        readableFiles = summary.readableFiles
        (archivedFiles, archivedBytes) = (summary.estimate.objects, summary.estimate.bytes)
        (askedBackFiles, askedBackBytes) = (summary.requestedFiles, summary.requestedBytes)
        onItsWayFiles = summary.inProgressFiles
        comeAgainAfter = summary.longest.map { Int($0.components.seconds) }
        options = summary.estimate.options(days: request.days).map(Option.init)
        failures = summary.failures.map { FileFailure($0.path, $0.failure) }
        self.stopped = stopped
    }
}

extension RecallReport.Option {
    fileprivate init(_ option: RetrievalEstimate.Option) {
        speed = ArchiveRequest.Speed(option.speed)
        files = option.objects
        seconds = Int(option.longest.components.seconds)
        dollars = (option.dollars * 10_000).rounded(.up) / 10_000
    }
}

extension RecallSummary.Failure: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .notStored: RestoreFailure.notStored.failure
        case .tierUnavailable: ArchivedPhoto.tierUnavailable.failure
        case .store(let error): error.failure
        }
    }
}
