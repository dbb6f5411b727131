/// The schedule of a watching sync: when changes have settled, when the library has changed, and again after a failure.
/// Times are in seconds from any fixed point.
package struct WatchPlan: Sendable {
    /// The next action.
    package enum Next: Sendable, Equatable {
        case sync
        /// Check whether the library has changed.
        case checkLibrary
        case wait(until: Double)
    }

    /// How a sync ended.
    package enum Outcome: Sendable, Equatable {
        /// The sync ran. `isWaiting` indicates files that may still be being written; `isComplete` is `false` if files
        /// failed or were held back.
        case done(isWaiting: Bool, isComplete: Bool)
        /// There is no connection, or another sync of the folder is running.
        case failed
    }

    /// Changes have settled when there were none for this many seconds: a file changed less than three seconds ago
    /// would have to wait for another sync. The sync starts after `patience` at the latest.
    private static let quietPeriod = 3.0
    private static let maximumDelay = 30.0
    /// Files that are being written are checked again after this many seconds.
    private static let unfinishedDelay = 4.0
    /// The interval in seconds at which folders without change signals are scanned.
    private static let folderInterval = 60.0
    /// After an incomplete sync, which no signal may follow, the next one starts after this many seconds, doubled each
    /// time: damage or archiving may be permanent, and each sync has a cost.
    private static let (firstRescan, longestRescan) = (60.0, 86_400.0)
    /// After failures the sync is retried after this many seconds, doubled each time.
    private static let (firstRetry, longestRetry) = (5.0, 300.0)

    private let libraryInterval: Double
    private var isWatched: Bool
    /// The first and the last change since the last sync began.
    private var changes: (first: Double, last: Double)?
    private var nextCheck: Double
    private var nextScan: Double
    private var failures = 0
    /// The number of consecutive incomplete syncs.
    private var incomplete = 0
    /// The time of the next retry.
    private var retry: Double?

    /// Creates a plan that begins with a sync.
    /// - Parameters:
    ///   - libraryInterval: The seconds between checks whether the library has changed.
    ///   - isWatched: Whether changes of the folder are signaled.
    package init(libraryInterval: Double, isWatched: Bool, at now: Double) {
        self.libraryInterval = libraryInterval
        self.isWatched = isWatched
        nextCheck = now + libraryInterval
        nextScan = now
    }

    package func next(at now: Double) -> Next {
        if let retry { return now >= retry ? .sync : .wait(until: retry) }
        var due = nextScan
        if let changes { due = min(due, changes.last + Self.quietPeriod, changes.first + Self.maximumDelay) }
        if now >= due { return .sync }
        // No separate check while changes are settling, because the sync that follows includes it.
        if now >= nextCheck, changes == nil { return .checkLibrary }
        return .wait(until: changes == nil ? min(due, nextCheck) : due)
    }

    package mutating func record(_ signal: FolderSignal, at now: Double) {
        switch signal {
        case .changed: changes = (changes?.first ?? now, now)
        case .watchesOnlyPart: isWatched = false
        }
    }

    /// Records that a sync begins; it includes all changes signaled before.
    package mutating func begin() { changes = nil }

    /// Records that a sync ended.
    /// - Parameter jitter: 0 to 1, so that devices that lost the same network do not retry at the same time.
    package mutating func record(_ outcome: Outcome, jitter: Double, at now: Double) {
        nextCheck = now + libraryInterval
        switch outcome {
        case .done(let isWaiting, let isComplete):
            (failures, retry) = (0, nil)
            nextScan = now + (isWaiting ? Self.unfinishedDelay : isWatched ? .infinity : Self.folderInterval)
            if isComplete { return incomplete = 0 }
            let pause = Self.pause(Self.firstRescan, Self.longestRescan, after: incomplete)
            incomplete += 1
            nextScan = min(nextScan, now + pause)
        case .failed:
            let pause = Self.pause(Self.firstRetry, Self.longestRetry, after: failures)
            failures += 1
            retry = now + pause * (0.5 + 0.5 * min(max(jitter, 0), 1))
        }
    }

    private static func pause(_ first: Double, _ longest: Double, after times: Int) -> Double {
        min(longest, first * Double(1 << min(times, 16)))
    }

    /// Records the result of a check of the library.
    package mutating func recordAnswer(hasChanged: Bool, at now: Double) {
        nextCheck = now + libraryInterval
        if hasChanged { nextScan = now }
    }
}
