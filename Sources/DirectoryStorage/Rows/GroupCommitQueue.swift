import Dispatch
import Foundation
import GRDB
import ObjectStorage
import Synchronization

/// Batches the changes that arrive while a commit is running into the next one: many writers share one disk sync, and
/// each has its own condition and result.
final class GroupCommitQueue: Sendable {
    typealias Outcome = Result<Bool, ObjectStoreError>

    /// A change and its completion handler. A class, because it is passed on several times during a batch.
    private final class PendingChange: Sendable {
        let change: RowChange
        let byteCount: Int
        let completion: @Sendable (Outcome) -> Void

        init(change: RowChange, completion: @escaping @Sendable (Outcome) -> Void) {
            self.change = change
            byteCount = change.byteCount
            self.completion = completion
        }
    }

    private struct State {
        var pending: [PendingChange] = []
        var isRunning = false
        var isClosed = false
        /// The size of the last batch, an estimate of the number of writers that will return with new changes.
        var lastCount = 0
    }

    /// The maximum number of changes in a transaction. A batch holds the lock between processes while it runs.
    private static let batchLimit = 512

    /// The maximum number of bytes in a transaction, unless it has a single change. All pages of a transaction are in
    /// memory.
    private static let batchBytes = 8 << 20

    /// The maximum number of times the queue yields while it waits for expected writers.
    private static let maximumYields = 20

    /// The number of log pages that triggers a checkpoint: 64 MiB, or 1 MiB on a nearly full disk.
    private static let (logPages, fewLogPages) = (32_000, 500)
    /// The size to which the log file is truncated on a nearly full disk, in bytes.
    private static let retainedLogBytes = 4 << 20

    private let state = Mutex(State())
    private let database: DatabaseQueue?
    private let path: String
    private let kind: DatabaseKind
    private let mark: CommitMark?
    private let otherMark: CommitMark?
    private let reserve: SpaceReserve?
    private let health: StoreHealth?
    private let cache: RowCache?
    private let isLow = Atomic<Bool>(false)

    /// - Parameters:
    ///   - database: `nil` for a folder that is only read: every change is refused.
    ///   - path: where the database is, for messages.
    ///   - otherMark: the mark of the folder's other database.
    init(
        _ database: DatabaseQueue?, at path: String, kind: DatabaseKind = .users, mark: CommitMark? = nil,
        otherMark: CommitMark? = nil, reserve: SpaceReserve? = nil, health: StoreHealth? = nil, cache: RowCache? = nil
    ) {
        self.database = database
        self.path = path
        self.kind = kind
        self.mark = mark
        self.otherMark = otherMark
        self.reserve = reserve
        self.health = health
        self.cache = cache
    }

    /// Returns when the change is durable; `false` if its condition did not hold.
    func commit(_ change: RowChange) async throws(ObjectStoreError) -> Bool {
        let result = await withCheckedContinuation { continuation in
            submit(change) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Commits a change from a thread that may block, and waits for the result.
    func commitBlocking(_ change: RowChange) throws(ObjectStoreError) -> Bool {
        let arrived = DispatchSemaphore(value: 0)
        let outcome = OutcomeBox()
        submit(change) {
            outcome.value.withLock { [result = $0] in $0 = result }
            arrived.signal()
        }
        arrived.wait()
        return try outcome.value.withLock { $0 }.get()
    }

    /// Submits a change without waiting for its result.
    func submit(_ change: RowChange, completion: @escaping @Sendable (Outcome) -> Void = { _ in }) {
        guard let database else { return completion(.failure(.denied("\(path) is open read-only"))) }
        let pending = PendingChange(change: change, completion: completion)
        let isAccepted = state.withLock { state in
            if state.isClosed { return false }
            state.pending.append(pending)
            // Started under the lock, so that nothing starts after `close`.
            if !state.isRunning { database.asyncWriteWithoutTransaction { [self] db in drain(db) } }
            state.isRunning = true
            return true
        }
        if !isAccepted { completion(.failure(.notStarted)) }
    }

    /// Rejects further changes. Changes submitted before are still committed.
    func close() { state.withLock { $0.isClosed = true } }

    private func drain(_ db: Database) {
        while let batch = nextBatch() { commit(batch, db) }
    }

    private func nextBatch() -> [PendingChange]? {
        state.withLock { state in
            let batch = Self.dequeue(&state, joining: [])
            state.isRunning = !batch.isEmpty
            return batch.isEmpty ? nil : batch
        }
    }

    /// The result of applying a batch.
    private struct Attempt {
        var batch: [PendingChange]
        var outcomes: [Outcome] = []
        var failure: ObjectStoreError?

        /// The changes whose conditions held, in order.
        var changes: [RowChange] {
            zip(batch, outcomes).compactMap { pending, outcome in
                if case .success(true) = outcome { pending.change } else { nil }
            }
        }
    }

    private func commit(_ first: [PendingChange], _ db: Database) {
        adjustLog(db)
        var attempt = apply(first, db)
        let needsSpace = kind == .accounts || attempt.batch.contains { !$0.change.isGrowth }
        if attempt.failure == .outOfSpace, needsSpace, makeSpace(db) {
            attempt = apply(attempt.batch, db, refusingGrowth: kind == .users)
        }
        if kind == .accounts { health?.recordCommit(attempt.failure) }
        state.withLock { $0.lastCount = attempt.batch.count }
        for (index, pending) in attempt.batch.enumerated() {
            pending.completion(attempt.failure.map { .failure($0) } ?? attempt.outcomes[index])
        }
    }

    /// Applies a batch, and the changes that arrive during it, in one transaction.
    /// - Parameter refusingGrowth: Rejects new objects with `outOfSpace` and adds no further changes.
    private func apply(_ first: [PendingChange], _ db: Database, refusingGrowth: Bool = false) -> Attempt {
        var (attempt, arrived) = (Attempt(batch: first), first)
        var count: Int64?
        do {
            try db.inTransaction(.immediate) {
                cache?.willCommit()
                let before = db.totalChangesCount
                while !arrived.isEmpty {
                    for pending in arrived {
                        let isRefused = refusingGrowth && pending.change.isGrowth
                        attempt.outcomes.append(isRefused ? .failure(.outOfSpace) : try pending.change.apply(db))
                    }
                    arrived = refusingGrowth ? [] : collectArrivals(after: attempt.batch)
                    attempt.batch += arrived
                }
                if db.totalChangesCount != before { count = try CommitCount.advance(db) }
                return .commit
            }
            cache?.didCommit(attempt.changes, isCommit: count != nil)
            if let count {
                mark?.record(count)
                otherMark?.record(other: count)
            }
        } catch {
            cache?.didCommit(nil)
            let wasCommitting = attempt.outcomes.count == attempt.batch.count
            attempt.failure = Self.cause(error, wasCommitting: wasCommitting, path)
        }
        return attempt
    }

    /// Keeps the log short while the disk is nearly full.
    private func adjustLog(_ db: Database) {
        guard let reserve, reserve.isLow != isLow.load(ordering: .relaxed) else { return }
        let isLow = self.isLow.logicalXor(true, ordering: .relaxed).newValue
        // Connection settings: they fail only if the connection is broken, which the commit then reports.
        try? db.execute(sql: "PRAGMA wal_autocheckpoint = \(isLow ? Self.fewLogPages : Self.logPages)")
        try? db.execute(sql: "PRAGMA journal_size_limit = \(isLow ? Self.retainedLogBytes : -1)")
        if !isLow { reserve.refill() }
    }

    /// Frees space for a commit that ran out of it: the ballast, and the part of the log that was checkpointed.
    private func makeSpace(_ db: Database) -> Bool {
        let isReleased = reserve?.release() ?? false
        let log = try? db.checkpoint(.passive)
        let isLogFree = log.map { $0.walFrameCount > 0 && $0.checkpointedFrameCount == $0.walFrameCount }
        return isReleased || isLogFree ?? false
    }

    /// Returns the changes that have arrived since, after yielding so that the writers of the last batch can return:
    /// a commit costs the disk the same for one change as for many.
    private func collectArrivals(after batch: [PendingChange]) -> [PendingChange] {
        var attempt = 0
        while true {
            let (arrived, isFull, expected) = state.withLock { state in
                let arrived = Self.dequeue(&state, joining: batch)
                return (arrived, !state.pending.isEmpty, state.lastCount)
            }
            if !arrived.isEmpty || isFull || batch.count >= expected || attempt == Self.maximumYields { return arrived }
            attempt += 1
            sched_yield()
        }
    }

    /// Removes as many waiting changes as fit into the batch, at least one if the batch is empty.
    private static func dequeue(_ state: inout State, joining batch: [PendingChange]) -> [PendingChange] {
        guard !state.pending.isEmpty else { return [] }
        var bytes = batch.reduce(0) { $0 + $1.byteCount }
        let fits = state.pending.prefix(batchLimit - batch.count).prefix { change in
            bytes += change.byteCount
            return bytes <= batchBytes
        }
        let count = batch.isEmpty ? max(fits.count, 1) : fits.count
        guard count < state.pending.count else {
            defer { state.pending = [] }
            return state.pending
        }
        defer { state.pending.removeFirst(count) }
        return Array(state.pending.prefix(count))
    }

    private static func cause(_ error: any Error, wasCommitting: Bool, _ path: String) -> ObjectStoreError {
        let cause = ObjectStoreError.database(error, path)
        // A commit whose sync failed may still be in the log after a crash.
        if wasCommitting, (error as? DatabaseError)?.resultCode == .SQLITE_IOERR {
            return .outcomeUnknown("commit: \(cause)")
        }
        return cause
    }
}

/// Passes a result from the queue's thread to the waiting thread.
private final class OutcomeBox: Sendable {
    let value = Mutex<GroupCommitQueue.Outcome>(.failure(.notStarted))
}
