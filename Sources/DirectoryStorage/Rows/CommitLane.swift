import Dispatch
import Foundation
import GRDB
import ObjectStorage
import Synchronization

/// Collects the changes that arrive while one commit is under way and commits them together: many writers share one
/// sync of the disk, each with its own condition and its own answer.
final class CommitLane: Sendable {
    typealias Answer = Result<Bool, ObjectStoreError>

    /// A change and who asked for it: a class, because it is handed on several times on its way through a batch.
    private final class Waiting: Sendable {
        let change: RowChange
        let byteCount: Int
        let answer: @Sendable (Answer) -> Void

        init(change: RowChange, answer: @escaping @Sendable (Answer) -> Void) {
            self.change = change
            byteCount = change.byteCount
            self.answer = answer
        }
    }

    private struct State {
        var waiting: [Waiting] = []
        var isRunning = false
        var isClosed = false
        /// The size of the last batch: about so many writers are on their way back from its answers.
        var lastCount = 0
    }

    /// How many changes share a transaction at most: a batch holds the lock between processes while it runs.
    private static let batchLimit = 512

    /// How many bytes they may bring, unless it is one alone: all pages of a transaction are in memory.
    private static let batchBytes = 8 << 20

    /// How often the lane steps aside for writers that it expects.
    private static let patience = 20

    /// How many pages the log may have before they are copied into the database: 64 MiB, on a disk that is nearly full
    /// 1 MiB.
    private static let (logPages, fewLogPages) = (32_000, 500)
    /// What is left of the log's file on a disk that is nearly full, in bytes.
    private static let keptLog = 4 << 20

    private let state = Mutex(State())
    private let database: DatabaseQueue?
    private let path: String
    private let kind: DatabaseKind
    private let mark: CommitMark?
    private let otherMark: CommitMark?
    private let reserve: SpaceReserve?
    private let health: StoreHealth?
    private let isLow = Atomic<Bool>(false)

    /// - Parameters:
    ///   - database: `nil` for a folder that is only read: every change is refused.
    ///   - path: where the database is, for messages.
    ///   - otherMark: the mark of the folder's other database.
    init(
        _ database: DatabaseQueue?, at path: String, kind: DatabaseKind = .users, mark: CommitMark? = nil,
        otherMark: CommitMark? = nil, reserve: SpaceReserve? = nil, health: StoreHealth? = nil
    ) {
        self.database = database
        self.path = path
        self.kind = kind
        self.mark = mark
        self.otherMark = otherMark
        self.reserve = reserve
        self.health = health
    }

    /// Returns when the change is durable; `false` when its condition did not hold.
    func commit(_ change: RowChange) async throws(ObjectStoreError) -> Bool {
        let answer = await withCheckedContinuation { continuation in
            submit(change) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// The same for callers on a thread of their own, which waits.
    func commitBlocking(_ change: RowChange) throws(ObjectStoreError) -> Bool {
        let arrived = DispatchSemaphore(value: 0)
        let answer = AnswerBox()
        submit(change) {
            answer.value.withLock { [result = $0] in $0 = result }
            arrived.signal()
        }
        arrived.wait()
        return try answer.value.withLock { $0 }.get()
    }

    /// Hands in a change that nobody waits for.
    func submit(_ change: RowChange, answer: @escaping @Sendable (Answer) -> Void = { _ in }) {
        guard let database else { return answer(.failure(.denied("\(path) is open for reading only"))) }
        let waiting = Waiting(change: change, answer: answer)
        let isAccepted = state.withLock { state in
            if state.isClosed { return false }
            state.waiting.append(waiting)
            // Started under the lock, so that nothing starts after `close`.
            if !state.isRunning { database.asyncWriteWithoutTransaction { [self] db in drain(db) } }
            state.isRunning = true
            return true
        }
        if !isAccepted { answer(.failure(.notStarted)) }
    }

    /// Takes no more changes; those that were handed in are still committed.
    func close() { state.withLock { $0.isClosed = true } }

    private func drain(_ db: Database) {
        while let batch = next() { commit(batch, db) }
    }

    private func next() -> [Waiting]? {
        state.withLock { state in
            let batch = Self.take(&state, beside: [])
            state.isRunning = !batch.isEmpty
            return batch.isEmpty ? nil : batch
        }
    }

    /// What became of a batch.
    private struct Attempt {
        var batch: [Waiting]
        var outcomes: [Answer] = []
        var failure: ObjectStoreError?
    }

    private func commit(_ first: [Waiting], _ db: Database) {
        adjustLog(db)
        var attempt = apply(first, db)
        let needsSpace = kind == .accounts || attempt.batch.contains { !$0.change.isGrowth }
        if attempt.failure == .outOfSpace, needsSpace, makeSpace(db) {
            attempt = apply(attempt.batch, db, refusingGrowth: kind == .users)
        }
        if kind == .accounts { health?.wrote(attempt.failure) }
        state.withLock { $0.lastCount = attempt.batch.count }
        for (index, waiting) in attempt.batch.enumerated() {
            waiting.answer(attempt.failure.map { .failure($0) } ?? attempt.outcomes[index])
        }
    }

    /// Applies a batch and what arrives while it is applied, in one transaction.
    /// - Parameter refusingGrowth: new objects are refused with `outOfSpace`, and nothing more is gathered.
    private func apply(_ first: [Waiting], _ db: Database, refusingGrowth: Bool = false) -> Attempt {
        var (attempt, fresh) = (Attempt(batch: first), first)
        var count: Int64?
        do {
            try db.inTransaction(.immediate) {
                let before = db.totalChangesCount
                while !fresh.isEmpty {
                    for waiting in fresh {
                        let isRefused = refusingGrowth && waiting.change.isGrowth
                        attempt.outcomes.append(isRefused ? .failure(.outOfSpace) : try waiting.change.apply(db))
                    }
                    fresh = refusingGrowth ? [] : gather(after: attempt.batch)
                    attempt.batch += fresh
                }
                if db.totalChangesCount != before { count = try CommitCount.advance(db) }
                return .commit
            }
            if let count {
                mark?.record(count)
                otherMark?.record(other: count)
            }
        } catch {
            let wasCommitting = attempt.outcomes.count == attempt.batch.count
            attempt.failure = Self.cause(error, wasCommitting: wasCommitting, path)
        }
        return attempt
    }

    /// Keeps the log short while the disk is nearly full.
    private func adjustLog(_ db: Database) {
        guard let reserve, reserve.isLow != isLow.load(ordering: .relaxed) else { return }
        let isLow = self.isLow.logicalXor(true, ordering: .relaxed).newValue
        // Settings of the connection: they fail with the connection alone, which the commit then says.
        try? db.execute(sql: "PRAGMA wal_autocheckpoint = \(isLow ? Self.fewLogPages : Self.logPages)")
        try? db.execute(sql: "PRAGMA journal_size_limit = \(isLow ? Self.keptLog : -1)")
        if !isLow { reserve.refill() }
    }

    /// Finds space for a commit that had none: the ballast, and what the log has that was copied already.
    private func makeSpace(_ db: Database) -> Bool {
        let isReleased = reserve?.release() ?? false
        let log = try? db.checkpoint(.passive)
        let isLogFree = log.map { $0.walFrameCount > 0 && $0.checkpointedFrameCount == $0.walFrameCount }
        return isReleased || isLogFree ?? false
    }

    /// What has arrived since, after giving the writers of the last batch a moment to come back: a commit costs the
    /// disk the same for one as for all of them.
    private func gather(after batch: [Waiting]) -> [Waiting] {
        var attempt = 0
        while true {
            let (fresh, isFull, expected) = state.withLock { state in
                let fresh = Self.take(&state, beside: batch)
                return (fresh, !state.waiting.isEmpty, state.lastCount)
            }
            if !fresh.isEmpty || isFull || batch.count >= expected || attempt == Self.patience { return fresh }
            attempt += 1
            sched_yield()
        }
    }

    /// As many of those that wait as the batch has room for; one at least, where it is empty.
    private static func take(_ state: inout State, beside batch: [Waiting]) -> [Waiting] {
        guard !state.waiting.isEmpty else { return [] }
        var bytes = batch.reduce(0) { $0 + $1.byteCount }
        let fits = state.waiting.prefix(batchLimit - batch.count).prefix { waiting in
            bytes += waiting.byteCount
            return bytes <= batchBytes
        }
        let count = batch.isEmpty ? max(fits.count, 1) : fits.count
        guard count < state.waiting.count else {
            defer { state.waiting = [] }
            return state.waiting
        }
        defer { state.waiting.removeFirst(count) }
        return Array(state.waiting.prefix(count))
    }

    private static func cause(_ error: any Error, wasCommitting: Bool, _ path: String) -> ObjectStoreError {
        let cause = ObjectStoreError.database(error, path)
        // A commit whose sync failed may yet be found in the log after a crash.
        if wasCommitting, (error as? DatabaseError)?.resultCode == .SQLITE_IOERR {
            return .outcomeUnknown("commit: \(cause)")
        }
        return cause
    }
}

/// Carries an answer from the lane's thread to the thread that waits for it.
private final class AnswerBox: Sendable {
    let value = Mutex<CommitLane.Answer>(.failure(.notStarted))
}
