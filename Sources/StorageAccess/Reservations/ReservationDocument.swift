import Foundation
import ObjectStorage

/// `reservations.json`: the space reserved for uploads that may still arrive, with the last count of stored objects.
package struct ReservationDocument: VersionedDocument {
    /// The maximum number of uploads recorded individually, which a count can match by key. Further ones are summed.
    private static let maximumRecent = 128
    /// The same number of those that end later than `longLifetime`: summed, they would take up quota until then, in
    /// addition to what they have stored.
    private static let maximumLong = 1024
    /// In seconds.
    private static let longLifetime: TimeInterval = 3600
    /// The granularity to which the ends of older ones are rounded, in seconds.
    private static let expiryGranularity: TimeInterval = 300
    /// The maximum clock difference between instances and the store, in seconds.
    private static let clockSkew: TimeInterval = 60
    /// How long devices may use credentials issued before, in seconds.
    private static let credentialLifetime: TimeInterval = 3600

    struct Count: Codable, Sendable, Equatable {
        let bytes: Int64
        let objects: Int
        /// When the count was started.
        let at: Date
    }

    struct CompactedReservations: Codable, Sendable, Equatable {
        /// The bytes that they may add to the last count.
        var room: Int64
        /// The bytes that they may add to a count that includes none of them.
        var size: Int64
        let endsAt: Date
    }

    package var version: Int
    /// `nil` before the first count for a reservation.
    var count: Count?
    /// The time since which only reserved uploads arrive; `nil` while devices write photos without reservations.
    var aloneSince: Date?
    /// Individual reservations, the newest last.
    var recent: [UploadReservation] = []
    /// Summed reservations, in the order of their ends.
    var older: [CompactedReservations] = []

    init() { version = 1 }

    /// The number of reserved bytes.
    var reserved: Int64 { recent.reduce(0) { $0 + $1.pendingBytes } + older.reduce(0) { $0 + $1.room } }

    /// When the last of the uploads has ended; `nil` without any.
    var end: Date? { (recent.map(\.endsAt) + older.map(\.endsAt)).max() }

    /// Whether all uploads since the count were reserved.
    var coversAllWrites: Bool {
        guard let count, let aloneSince else { return false }
        return aloneSince.addingTimeInterval(Self.credentialLifetime + Self.clockSkew) <= count.at
    }

    /// Records whether all uploads must be reserved.
    mutating func recordExclusivity(isAlone: Bool, at time: Date) {
        // Dates are stored in whole seconds.
        let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.up))
        aloneSince = isAlone ? aloneSince ?? time : nil
    }

    /// Applies a count, unless a later one is known. Uploads that ended before it are included in it, or never
    /// arrived.
    /// - Parameters:
    ///   - sizes: The sizes found at the keys of the reservations known when it started.
    ///   - time: The current time. A known count dated later, by a clock that is ahead, is replaced.
    /// - Returns: Whether the count was applied.
    mutating func apply(_ new: Count, sizes: [String: Int64], at time: Date) -> Bool {
        guard count.map({ $0.at < new.at || $0.at > time.addingTimeInterval(Self.clockSkew) }) ?? true else {
            return false
        }
        count = new
        recent.removeAll { $0.endsAt.addingTimeInterval(Self.clockSkew) < new.at }
        older.removeAll { $0.endsAt.addingTimeInterval(Self.clockSkew) < new.at }
        for index in recent.indices { recent[index].counted = sizes[recent[index].key] ?? 0 }
        // It is not known which of these have arrived: their full size stays reserved until they end.
        for index in older.indices { older[index].room = older[index].size }
        return true
    }

    /// Reserves space for a group if there is quota headroom. Earlier reservations for the same objects are included
    /// in it.
    /// - Parameter sizes: The sizes that this document's last count found at the keys; those objects are replaced.
    /// - Returns: `false` if the limit would be exceeded.
    mutating func reserve(_ group: ReservationGroup, limit: Int64, sizes: [String: Int64], at time: Date) -> Bool {
        if group.isEmpty { return true }
        guard let count else { return false }
        var next = self
        for one in group { next.add(one, counted: sizes[one.key] ?? 0) }
        guard count.bytes + next.reserved <= limit else { return false }
        next.compact(at: time)
        self = next
        return true
    }

    private mutating func add(_ new: UploadReservation, counted: Int64) {
        var new = new
        new.counted = counted
        if let index = recent.firstIndex(where: { $0.key == new.key }) {
            // Either URL may be used, so the longer validity counts.
            let known = recent.remove(at: index)
            new.size = max(new.size, known.size)
            new.endsAt = max(new.endsAt, known.endsAt)
            new.counted = known.counted
            if new.holder != known.holder { new.holder = nil }
        }
        recent.append(new)
    }

    /// The sessions that hold individual reservations.
    var holders: Set<UploadReservation.Holder> { Set(recent.compactMap(\.holder)) }

    /// Removes the reservations of sessions whose addresses are no longer accepted.
    mutating func release(_ ended: Set<UploadReservation.Holder>) {
        if !ended.isEmpty { recent.removeAll { $0.holder.map(ended.contains) ?? false } }
    }

    /// Sums reservations beyond the limit of individual ones: first those that have ended, then the smallest, because
    /// they matter least.
    private mutating func compact(at time: Date) {
        guard recent.count > Self.maximumRecent else { return }
        let order = recent.indices.sorted { left, right in
            let (isOverLeft, isOverRight) = (recent[left].endsAt <= time, recent[right].endsAt <= time)
            if isOverLeft != isOverRight { return isOverLeft }
            return (recent[left].size, left) < (recent[right].size, right)
        }
        let longEnd = time.addingTimeInterval(Self.longLifetime)
        let short = order.filter { recent[$0].endsAt <= longEnd }
        let long = order.filter { recent[$0].endsAt > longEnd }
        let folded = Set(short.dropLast(Self.maximumRecent) + long.dropLast(Self.maximumLong))
        guard !folded.isEmpty else { return }
        for index in folded {
            // Reservations that have ended are all removed by the next count.
            let end = max(recent[index].endsAt, time).timeIntervalSince1970
            let endsAt = Date(
                timeIntervalSince1970: (end / Self.expiryGranularity).rounded(.up) * Self.expiryGranularity)
            older.append(
                CompactedReservations(room: recent[index].pendingBytes, size: recent[index].size, endsAt: endsAt))
        }
        recent = recent.indices.filter { !folded.contains($0) }.map { recent[$0] }
        let ended = older.lazy.filter { $0.endsAt <= time }.map(\.endsAt).max()
        var sums: [Date: CompactedReservations] = [:]
        for one in older {
            let endsAt = one.endsAt <= time ? ended ?? one.endsAt : one.endsAt
            let sum = sums[endsAt]
            sums[endsAt] = CompactedReservations(
                room: one.room + (sum?.room ?? 0), size: one.size + (sum?.size ?? 0), endsAt: endsAt)
        }
        older = sums.values.sorted { $0.endsAt < $1.endsAt }
    }
}
