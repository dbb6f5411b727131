import Foundation
import ObjectStorage
import PhotolalaAPI

/// What became of a group.
package enum ReservationOutcome: Sendable, Equatable {
    case reserved
    /// So many bytes are stored, or kept free for other uploads.
    case noRoom(used: Int64)
}

/// What a count found.
package struct ReservationCount: Sendable {
    /// Bytes under the user's prefixes.
    let bytes: Int64
    /// When it was begun.
    let at: Date
    /// Lengths of those objects whose keys were asked for, as far as they are there.
    let sizes: [String: Int64]

    package init(bytes: Int64, at: Date, sizes: [String: Int64]) {
        self.bytes = bytes
        self.at = at
        self.sizes = sizes
    }
}

/// Keeps room free for uploads before they begin, by compare-and-swap: what is stored and what is kept free never exceed
/// the limit, on however many copies. Room of an upload that never came is free again once a count was begun after its
/// end.
package struct UploadReservations: Sendable {
    /// Before a refusal it is counted again, unless that was done within so many seconds.
    private static let trust: TimeInterval = 60

    private let documents: Documents<ReservationDocument>
    private let retry: RetryPolicy
    private let now: @Sendable () -> Date
    private let calls = JoinedCalls<UserID, ReservationGroup, ReservationOutcome>(most: 256)

    package init(store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date) {
        documents = Documents(store: store, retry: retry)
        self.retry = retry
        self.now = now
    }

    /// Keeps room for each group that there is room for. A read and a write, whatever number of calls come together; a
    /// count before the first one, before a refusal, and where the last one is too old.
    /// - Parameters:
    ///   - limit: bytes that the user may store.
    ///   - isTrusted: whether a count of an age, in seconds, is good enough, by what it came to and what is kept free
    ///     beside it.
    ///   - count: counts what is stored, and looks for objects meanwhile.
    package func reserve(
        _ groups: [ReservationGroup], of user: UserID, limit: Int64,
        isTrusted: (_ used: Int64, _ age: TimeInterval) -> Bool,
        count: (_ looking: Set<String>) async throws(ObjectStoreError) -> ReservationCount
    ) async throws(ObjectStoreError) -> [ReservationOutcome] {
        try await calls.call(groups, for: user) { (groups) async throws(ObjectStoreError) in
            try await write(groups, of: user, limit: limit, isTrusted: isTrusted, count: count)
        }
    }

    private func write(
        _ groups: [ReservationGroup], of user: UserID, limit: Int64,
        isTrusted: (Int64, TimeInterval) -> Bool,
        count: (Set<String>) async throws(ObjectStoreError) -> ReservationCount
    ) async throws(ObjectStoreError) -> [ReservationOutcome] {
        let key = ObjectKey(known: StorageLayout.reservations(user))
        var known: ReservationCount?
        for attempt in 0..<retry.attempts {
            let stored = try await documents.load(key)
            var document = stored?.value ?? ReservationDocument()
            if let known { document.take(known) }
            var outcomes = document.reserve(groups, limit: limit, at: now())
            let age = document.count.map { now().timeIntervalSince($0.at) } ?? .infinity
            let used = (document.count?.bytes ?? 0) + document.reserved
            let isRefused = outcomes.contains { $0 != .reserved }
            if known == nil, age > Self.trust, isRefused || !isTrusted(used, age) {
                let before = stored?.value ?? document
                let found = try await count(Set(before.recent.map(\.key)))
                document = before
                document.take(found)
                outcomes = document.reserve(groups, limit: limit, at: now())
                known = found
            }
            guard document != stored?.value else { return outcomes }
            do throws(ObjectStoreError) {
                if let stored {
                    _ = try await documents.replace(key, stored, with: document)
                } else {
                    _ = try await documents.create(key, document)
                }
                return outcomes
            } catch {
                guard error == .preconditionFailed else { throw error }
            }
            await retry.pause(after: attempt)
        }
        throw .unavailable("others keep reserving for \(user)")
    }
}

extension ReservationDocument {
    fileprivate mutating func take(_ found: ReservationCount) {
        take(Count(bytes: found.bytes, at: found.at), sizes: found.sizes)
    }

    fileprivate mutating func reserve(
        _ groups: [ReservationGroup], limit: Int64, at time: Date
    ) -> [ReservationOutcome] {
        groups.map { group in
            if reserve(group, limit: limit, at: time) { return .reserved }
            return .noRoom(used: (count?.bytes ?? 0) + reserved)
        }
    }
}
