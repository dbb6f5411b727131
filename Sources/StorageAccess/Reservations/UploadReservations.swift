import Foundation
import ObjectStorage
import PhotolalaAPI

/// The outcome of reserving a group.
package enum ReservationOutcome: Sendable, Equatable {
    case reserved
    /// The limit would be exceeded: this many bytes are stored or reserved for other uploads.
    case quotaExceeded(used: Int64)
}

/// The result of a count.
package struct ReservationCount: Sendable {
    /// The bytes below the user's prefixes.
    let bytes: Int64
    /// The number of objects.
    let objects: Int
    /// When the count was started.
    let at: Date
    /// The sizes of the existing objects among the requested keys.
    let sizes: [String: Int64]

    package init(bytes: Int64, objects: Int, at: Date, sizes: [String: Int64]) {
        self.bytes = bytes
        self.objects = objects
        self.at = at
        self.sizes = sizes
    }
}

/// Reserves space for uploads before they start, by compare-and-swap: reservations never exceed the limit, regardless
/// of the number of instances. The space of an upload that never arrived is released by the first count started after
/// its end.
package struct UploadReservations: Sendable {
    /// The minimum time between two counts, in seconds. For large libraries it is a thousandth of a second per object.
    private static let countMaximumAge: TimeInterval = 60
    /// The maximum age of any count, in seconds.
    private static let countLifetime: TimeInterval = 86_400

    private let documents: Documents<ReservationDocument>
    private let retry: RetryPolicy
    private let now: @Sendable () -> Date
    private let coalescer = CallCoalescer<UserID, ReservationGroup, ReservationOutcome, ObjectStoreError>(
        maximumItems: 256)

    package init(store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date) {
        documents = Documents(store: store, retry: retry)
        self.retry = retry
        self.now = now
    }

    /// Reserves space for each group within the quota. Costs one read and one write, regardless of the number of
    /// concurrent calls; plus a count before the first reservation, before a rejection, and if the last count is not
    /// trusted.
    /// - Parameters:
    ///   - limit: The user's storage limit in bytes.
    ///   - isAlone: Whether all photo uploads must be reserved.
    ///   - isTrusted: Returns whether a count is accurate enough, given its total plus the reserved bytes, its time,
    ///     and whether all uploads since were reserved.
    ///   - ended: Returns those of some sessions that have ended, and whose addresses ended with them. Called before a
    ///     refusal.
    ///   - count: Counts the stored bytes, and returns the sizes of the given keys.
    package func reserve(
        _ groups: [ReservationGroup], of user: UserID, limit: Int64, isAlone: Bool,
        isTrusted: (_ used: Int64, _ countedAt: Date, _ isSettled: Bool) -> Bool,
        ended: (Set<UploadReservation.Holder>) async throws(ObjectStoreError) -> Set<UploadReservation.Holder>,
        count: (_ looking: Set<String>) async throws(ObjectStoreError) -> ReservationCount
    ) async throws(ObjectStoreError) -> [ReservationOutcome] {
        try await coalescer.call(groups, for: user) { (groups) async throws(ObjectStoreError) in
            let key = ObjectKey(known: StorageLayout.reservations(user))
            var found: ReservationCount?
            var released: Set<UploadReservation.Holder>?
            for attempt in 0..<retry.attempts {
                let stored = try await documents.load(key)
                var document = stored?.value ?? ReservationDocument()
                document.recordExclusivity(isAlone: isAlone, at: now())
                document.release(released ?? [])
                var before = document
                var sizes: [String: Int64] = [:]
                if let found, document.apply(found, at: now()) { sizes = found.sizes }
                var outcomes = document.reserve(groups, limit: limit, sizes: sizes, at: now())
                let isRefused = outcomes.contains { $0 != .reserved }
                if released == nil, isRefused, !before.holders.isEmpty {
                    let gone = try await ended(before.holders)
                    released = gone
                    if !gone.isEmpty {
                        before.release(gone)
                        document = before
                        sizes = found.map { document.apply($0, at: now()) ? $0.sizes : [:] } ?? [:]
                        outcomes = document.reserve(groups, limit: limit, sizes: sizes, at: now())
                    }
                }
                if found == nil, needsCount(document, groups, outcomes, limit: limit, isTrusted) {
                    let new = try await count(Set(before.recent.map(\.key) + groups.joined().map(\.key)))
                    document = before
                    sizes = document.apply(new, at: now()) ? new.sizes : [:]
                    outcomes = document.reserve(groups, limit: limit, sizes: sizes, at: now())
                    found = new
                }
                guard document != stored?.value else { return outcomes }
                if try await write(document, over: stored, at: key) { return outcomes }
                await retry.pause(after: attempt)
            }
            throw .unavailable("too many concurrent reservations for \(user)")
        }
    }

    /// Returns when the last upload of a user that may still arrive has ended; `nil` without reservations. One read.
    package func end(of user: UserID) async throws(ObjectStoreError) -> Date? {
        try await documents.load(ObjectKey(known: StorageLayout.reservations(user)))?.value.end
    }

    private func needsCount(
        _ document: ReservationDocument, _ groups: [ReservationGroup], _ outcomes: [ReservationOutcome], limit: Int64,
        _ isTrusted: (Int64, Date, Bool) -> Bool
    ) -> Bool {
        guard let count = document.count else { return true }
        let age = abs(now().timeIntervalSince(count.at))
        guard age > max(Self.countMaximumAge, Double(count.objects) / 1000) else { return false }
        // A group larger than the whole limit is rejected without a count.
        let isRefused = zip(groups, outcomes).contains { group, outcome in
            outcome != .reserved && group.reduce(0) { $0 + $1.size } <= limit
        }
        return isRefused || age > Self.countLifetime
            || !isTrusted(count.bytes + document.reserved, count.at, document.coversAllWrites)
    }

    /// - Returns: `false` if another writer changed the document first.
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
    /// - Returns: Whether the count was applied: another instance may have counted since.
    fileprivate mutating func apply(_ found: ReservationCount, at time: Date) -> Bool {
        // Dates are stored in whole seconds.
        let at = Date(timeIntervalSince1970: found.at.timeIntervalSince1970.rounded(.down))
        return apply(Count(bytes: found.bytes, objects: found.objects, at: at), sizes: found.sizes, at: time)
    }

    fileprivate mutating func reserve(
        _ groups: [ReservationGroup], limit: Int64, sizes: [String: Int64], at time: Date
    ) -> [ReservationOutcome] {
        groups.map { group in
            if reserve(group, limit: limit, sizes: sizes, at: time) { return .reserved }
            return .quotaExceeded(used: (count?.bytes ?? 0) + reserved)
        }
    }
}
