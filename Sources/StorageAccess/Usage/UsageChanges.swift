import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// Marks accounts whose stored bytes may change, so that the daily count lists only those. The mark of a change is
/// stored before the credentials that permit it leave the service.
///
/// A mark covers all changes of an account that end in one period of six hours. Nothing is ever written to it after its
/// creation, and it is removed by a count that begins after the period: neither needs a condition.
final class UsageChanges: Sendable {
    /// The length of a period, in seconds.
    static let period: TimeInterval = 21_600
    /// How long after the end of credentials their last write may complete, including the difference between clocks, in
    /// seconds. Full recounts find slower writes.
    static let margin: TimeInterval = 3600
    /// The maximum number of marks in memory, about 10 MB. Without it a mark is written again.
    private static let capacity = 100_000

    private struct Mark: Hashable {
        let user: UserID
        let period: Int64
    }

    private let writes: ConditionalWrites
    private let written = Mutex<Set<Mark>>([])

    init(store: any ObjectStore, retry: RetryPolicy) { writes = ConditionalWrites(store: store, retry: retry) }

    /// Marks an account. One write for each period and process.
    /// - Parameter end: when the last change can begin.
    func mark(_ user: UserID, until end: Date) async throws(ObjectStoreError) {
        let mark = Mark(user: user, period: Self.period(of: end.addingTimeInterval(Self.margin)))
        guard written.withLock({ !$0.contains(mark) }) else { return }
        let key = ObjectKey(known: StorageLayout.usageChange(user, period: mark.period))
        _ = try await writes.put(key, ByteBuffer(), if: .always)
        written.withLock { marks in
            if marks.count >= Self.capacity { marks.removeAll() }
            marks.insert(mark)
        }
    }

    /// Returns whether any mark of an account exists. One listing.
    func isMarked(_ user: UserID) async throws(ObjectStoreError) -> Bool {
        try await !writes.store.list(prefix: StorageLayout.usageChanges(user), after: nil, limit: 1).objects.isEmpty
    }

    /// Removes marks.
    func remove(_ marks: [ObjectKey]) async throws(ObjectStoreError) {
        for key in marks { try await writes.delete(key, if: .always) }
    }

    /// Returns whether the period of a mark is over.
    static func isOver(_ mark: ObjectKey, at time: Date) -> Bool {
        mark.description.split(separator: "/").last.flatMap { Int64($0) }.map { $0 < period(of: time) } ?? true
    }

    /// Returns the number of the period that contains a time.
    private static func period(of time: Date) -> Int64 {
        Int64((time.timeIntervalSince1970 / period).rounded(.down))
    }
}
