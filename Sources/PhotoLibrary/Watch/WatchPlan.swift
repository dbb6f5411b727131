/// When a watching sync acts: after changes have come to rest, when the library has changed, and again after a failure.
/// Moments are seconds from any fixed one.
package struct WatchPlan: Sendable {
    /// What there is to do.
    package enum Next: Sendable, Equatable {
        case sync
        /// Ask whether the library has changed.
        case ask
        case wait(until: Double)
    }

    /// How a round ended.
    package enum Outcome: Sendable, Equatable {
        /// Some files may be being written, and wait; some may have failed, or been held back.
        case done(isWaiting: Bool, isComplete: Bool)
        /// There is no connection, or another sync of the folder.
        case failed
    }

    /// Changes have come to rest when there were none for so many seconds: a file that was changed less than three before
    /// would have to wait for another sync. No longer than `patience` is waited for that.
    private static let rest = 3.0
    private static let patience = 30.0
    /// Files that are being written are looked at again after so many seconds.
    private static let unfinished = 4.0
    /// Folders that nobody tells of are looked at so often, in seconds.
    private static let folderInterval = 60.0
    /// After a round that left something undone, of which nobody may tell when it can be done, it is looked again after
    /// these seconds, doubled each time: what is damaged or archived may be so for ever, and each look costs.
    private static let (firstSecondLook, longestSecondLook) = (60.0, 86_400.0)
    /// After failures it is tried again after these seconds, doubled each time.
    private static let (firstRetry, longestRetry) = (5.0, 300.0)

    private let libraryInterval: Double
    private var isWatched: Bool
    /// The first and the last change that no sync has seen.
    private var changes: (first: Double, last: Double)?
    private var nextAsk: Double
    private var nextLook: Double
    private var failures = 0
    /// Rounds in a row that left something undone.
    private var incomplete = 0
    /// When it is tried again.
    private var retry: Double?

    /// It begins with a sync.
    /// - Parameters:
    ///   - libraryInterval: seconds between two questions whether the library has changed.
    ///   - isWatched: whether changes of the folder are told.
    package init(libraryInterval: Double, isWatched: Bool, at now: Double) {
        self.libraryInterval = libraryInterval
        self.isWatched = isWatched
        nextAsk = now + libraryInterval
        nextLook = now
    }

    package func next(at now: Double) -> Next {
        if let retry { return now >= retry ? .sync : .wait(until: retry) }
        var due = nextLook
        if let changes { due = min(due, changes.last + Self.rest, changes.first + Self.patience) }
        if now >= due { return .sync }
        // Those that come to rest soon are not overtaken: a sync asks anyway.
        if now >= nextAsk, changes == nil { return .ask }
        return .wait(until: changes == nil ? min(due, nextAsk) : due)
    }

    package mutating func note(_ signal: FolderSignal, at now: Double) {
        switch signal {
        case .changed: changes = (changes?.first ?? now, now)
        case .watchesOnlyPart: isWatched = false
        }
    }

    /// A sync begins: it sees all that was told before.
    package mutating func begin() { changes = nil }

    /// A sync ended.
    /// - Parameter jitter: 0 to 1, so that devices that lost the same network do not come back at once.
    package mutating func note(_ outcome: Outcome, jitter: Double, at now: Double) {
        nextAsk = now + libraryInterval
        switch outcome {
        case .done(let isWaiting, let isComplete):
            (failures, retry) = (0, nil)
            nextLook = now + (isWaiting ? Self.unfinished : isWatched ? .infinity : Self.folderInterval)
            if isComplete { return incomplete = 0 }
            let pause = Self.pause(Self.firstSecondLook, Self.longestSecondLook, after: incomplete)
            incomplete += 1
            nextLook = min(nextLook, now + pause)
        case .failed:
            let pause = Self.pause(Self.firstRetry, Self.longestRetry, after: failures)
            failures += 1
            retry = now + pause * (0.5 + 0.5 * min(max(jitter, 0), 1))
        }
    }

    private static func pause(_ first: Double, _ longest: Double, after times: Int) -> Double {
        min(longest, first * Double(1 << min(times, 16)))
    }

    /// The library was asked.
    package mutating func noteAnswer(hasChanged: Bool, at now: Double) {
        nextAsk = now + libraryInterval
        if hasChanged { nextLook = now }
    }
}
