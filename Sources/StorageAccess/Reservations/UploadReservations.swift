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
    /// How many objects.
    let objects: Int
    /// When it was begun.
    let at: Date
    /// Lengths of those objects whose keys were asked for, as far as they are there.
    let sizes: [String: Int64]

    package init(bytes: Int64, objects: Int, at: Date, sizes: [String: Int64]) {
        self.bytes = bytes
        self.objects = objects
        self.at = at
        self.sizes = sizes
    }
}

/// Keeps room free for uploads before they begin, by compare-and-swap: nothing is reserved beyond
/// the limit, on however many copies. Room of an upload that never came is free again once a count was begun after its
/// end.
package struct UploadReservations: Sendable {
    /// Before a refusal it is counted again, unless that was done within so many seconds, or thousandths of the number of
    /// objects.
    private static let trust: TimeInterval = 60
    /// No count is older, in seconds.
    private static let lifetime: TimeInterval = 86_400

    private let documents: Documents<ReservationDocument>
    private let retry: RetryPolicy
    private let now: @Sendable () -> Date
    private let calls = JoinedCalls<UserID, ReservationGroup, ReservationOutcome, ObjectStoreError>(most: 256)

    package init(store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date) {
        documents = Documents(store: store, retry: retry)
        self.retry = retry
        self.now = now
    }

    /// Keeps room for each group that there is room for. A read and a write, whatever number of calls come together; a
    /// count before the first one, before a refusal, and where the last one is not to be trusted.
    /// - Parameters:
    ///   - limit: bytes that the user may store.
    ///   - isAlone: whether photos come in no other way.
    ///   - isTrusted: whether a count is good enough, by what it came to and what is kept free beside it, and by whether all
    ///     that came since was reserved.
    ///   - count: counts what is stored, and looks for objects meanwhile.
    package func reserve(
        _ groups: [ReservationGroup], of user: UserID, limit: Int64, isAlone: Bool,
        isTrusted: (_ used: Int64, _ countedAt: Date, _ isSettled: Bool) -> Bool,
        count: (_ looking: Set<String>) async throws(ObjectStoreError) -> ReservationCount
    ) async throws(ObjectStoreError) -> [ReservationOutcome] {
        try await calls.call(groups, for: user) { (groups) async throws(ObjectStoreError) in
            let key = ObjectKey(known: StorageLayout.reservations(user))
            var found: ReservationCount?
            for attempt in 0..<retry.attempts {
                let stored = try await documents.load(key)
                var document = stored?.value ?? ReservationDocument()
                document.note(isAlone: isAlone, at: now())
                let before = document
                var sizes: [String: Int64] = [:]
                if let found, document.take(found, at: now()) { sizes = found.sizes }
                var outcomes = document.reserve(groups, limit: limit, sizes: sizes, at: now())
                if found == nil, isToBeCounted(document, groups, outcomes, limit: limit, isTrusted) {
                    let new = try await count(Set(before.recent.map(\.key) + groups.joined().map(\.key)))
                    document = before
                    sizes = document.take(new, at: now()) ? new.sizes : [:]
                    outcomes = document.reserve(groups, limit: limit, sizes: sizes, at: now())
                    found = new
                }
                guard document != stored?.value else { return outcomes }
                if try await write(document, over: stored, at: key) { return outcomes }
                await retry.pause(after: attempt)
            }
            throw .unavailable("others keep reserving for \(user)")
        }
    }

    private func isToBeCounted(
        _ document: ReservationDocument, _ groups: [ReservationGroup], _ outcomes: [ReservationOutcome], limit: Int64,
        _ isTrusted: (Int64, Date, Bool) -> Bool
    ) -> Bool {
        guard let count = document.count else { return true }
        let age = abs(now().timeIntervalSince(count.at))
        guard age > max(Self.trust, Double(count.objects) / 1000) else { return false }
        // What is larger than all that there may be needs no count.
        let isRefused = zip(groups, outcomes).contains { group, outcome in
            outcome != .reserved && group.reduce(0) { $0 + $1.size } <= limit
        }
        return isRefused || age > Self.lifetime
            || !isTrusted(count.bytes + document.reserved, count.at, document.isSettled)
    }

    /// - Returns: whether nobody was faster.
    private func write(
        _ document: ReservationDocument, over stored: Stored<ReservationDocument>?, at key: ObjectKey
    ) async throws(ObjectStoreError) -> Bool {
        do throws(ObjectStoreError) {
            if let stored {
                _ = try await documents.replace(key, stored, with: document)
            } else {
                _ = try await documents.create(key, document)
            }
            return true
        } catch .preconditionFailed {
            return false
        }
    }
}

extension ReservationDocument {
    /// - Returns: whether it was taken: another copy may have counted since.
    fileprivate mutating func take(_ found: ReservationCount, at time: Date) -> Bool {
        // Dates are stored in whole seconds.
        let at = Date(timeIntervalSince1970: found.at.timeIntervalSince1970.rounded(.down))
        return take(Count(bytes: found.bytes, objects: found.objects, at: at), sizes: found.sizes, at: time)
    }

    fileprivate mutating func reserve(
        _ groups: [ReservationGroup], limit: Int64, sizes: [String: Int64], at time: Date
    ) -> [ReservationOutcome] {
        groups.map { group in
            if reserve(group, limit: limit, sizes: sizes, at: time) { return .reserved }
            return .noRoom(used: (count?.bytes ?? 0) + reserved)
        }
    }
}
