import Foundation
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// What one user stores: never less than it is, so that the limit holds; where it may be more than it is, it is counted
/// again before anything is refused.
final class UserStoredBytes: Sendable {
    /// After this time, in seconds, it is counted anew: somebody else, such as an operator, may have written too.
    private static let lifetime: TimeInterval = 3600

    /// How long a count is trusted against the caller, in seconds.
    private static let trust: TimeInterval = 60

    /// A write that was admitted and has not ended.
    struct Admission: Sendable {
        fileprivate let number: UInt64
    }

    private struct Write {
        let size: Int64
        /// Bytes that go when it is done: what stands at its key, or the parts that it puts together. They make room for
        /// this write alone, and for others only once they are gone and that was counted.
        var replaced: Int64
    }

    private struct State {
        /// `nil` before the first count.
        var bytes: Int64?
        var countedAt = Date.distantPast
        var writes: [UInt64: Write] = [:]
        var next: UInt64 = 0
        /// Something was deleted or replaced since the count.
        var mayBeLess = false
        /// Bytes of writes that ended while a count runs, which it may have passed by; `nil` while none runs.
        var endedMeanwhile: Int64?
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Raised by each count.
        var counts = 0

        var sum: Int64 { writes.values.reduce(bytes ?? 0) { $0 + max(0, $1.size - $1.replaced) } }
    }

    private let user: UserID
    private let store: any ObjectStore
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(_ user: UserID, store: any ObjectStore, now: @escaping @Sendable () -> Date) {
        self.user = user
        self.store = store
        self.now = now
    }

    /// Admits a write, which must be ended.
    /// - Parameters:
    ///   - size: bytes to be written.
    ///   - key: where to; what stands there gives way.
    ///   - parts: bytes that go when it is done, beside that.
    ///   - limit: bytes that may be stored then.
    /// - Throws: `S3Error.quotaExceeded`, or `ObjectStoreError` when it cannot be counted.
    func admit(_ size: Int64, at key: ObjectKey, replacing parts: Int64 = 0, limit: Int64) async throws -> Admission {
        if isOutdated { try await count() }
        if let admission = admission(size, replacing: parts, limit: limit) { return admission }
        if mayBeLess {
            try await count()
            if let admission = admission(size, replacing: parts, limit: limit) { return admission }
        }
        // Only as long as what stands there is part of the count.
        let counts = state.withLock { $0.counts }
        if let there = try await store.head(key)?.size,
            let admission = admission(size, replacing: parts + there, limit: limit, after: counts)
        {
            return admission
        }
        guard state.withLock({ $0.bytes != nil }) else { throw ObjectStoreError.unavailable("not counted") }
        throw S3Error.quotaExceeded(stored: state.withLock { $0.bytes ?? 0 }, limit: limit)
    }

    /// Ends a write. Until the next count one that failed counts as done, for an error does not say that nothing was
    /// written, and nothing counts as replaced.
    func end(_ admission: Admission) {
        state.withLock { state in
            guard let write = state.writes.removeValue(forKey: admission.number) else { return }
            state.bytes = (state.bytes ?? 0) + write.size
            state.mayBeLess = true
            if let ended = state.endedMeanwhile { state.endedMeanwhile = ended + write.size }
        }
    }

    /// Notes that something went.
    func noteDeletion() { state.withLock { $0.mayBeLess = true } }

    private var isOutdated: Bool {
        state.withLock { $0.bytes == nil || abs(now().timeIntervalSince($0.countedAt)) > Self.lifetime }
    }

    /// Whether counting again can show less. Others delete too, such as the sweep of old uploads.
    private var mayBeLess: Bool {
        state.withLock { $0.mayBeLess || abs(now().timeIntervalSince($0.countedAt)) > Self.trust }
    }

    private func admission(
        _ size: Int64, replacing replaced: Int64, limit: Int64, after counts: Int? = nil
    ) -> Admission? {
        state.withLock { state in
            guard state.bytes != nil, counts.map({ $0 == state.counts }) ?? true,
                state.sum + max(0, size - replaced) <= limit
            else { return nil }
            state.next += 1
            state.writes[state.next] = Write(size: size, replaced: replaced)
            return Admission(number: state.next)
        }
    }

    /// Counts; who comes meanwhile waits for the same count.
    private func count() async throws {
        let isFirst = state.withLock { state in
            guard state.endedMeanwhile == nil else { return false }
            state.endedMeanwhile = 0
            state.mayBeLess = false
            return true
        }
        guard isFirst else { return await wait() }
        let listed: Int64?
        let failure: (any Error)?
        do {
            (listed, failure) = (try await listedBytes(), nil)
        } catch {
            (listed, failure) = (nil, error)
        }
        let waiters = state.withLock { state in
            if let listed {
                state.bytes = listed + (state.endedMeanwhile ?? 0)
                state.countedAt = now()
                // What a write replaces may be gone by now: it is not counted off a second time.
                for number in state.writes.keys { state.writes[number]?.replaced = 0 }
                state.counts += 1
                state.mayBeLess = state.mayBeLess || !state.writes.isEmpty || state.endedMeanwhile != 0
            }
            state.endedMeanwhile = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
        if let failure { throw failure }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.endedMeanwhile != nil else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// All that the user stores, with the parts of unfinished uploads.
    private func listedBytes() async throws -> Int64 {
        var bytes: Int64 = 0
        for prefix in StorageLayout.userPrefixes(user) + [UploadRecord.prefix(user)] {
            var after: String?
            repeat {
                let page = try await store.list(prefix: prefix, after: after, limit: 1000)
                for object in page.objects where !UploadRecord.isRecord(object.key) { bytes += object.size }
                after = page.isTruncated ? page.objects.last?.key.description : nil
            } while after != nil
        }
        return bytes
    }
}
