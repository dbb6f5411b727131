import Foundation
import ObjectStorage

/// `reservations.json`: what is kept free for uploads that may still come, beside the count that says what came.
package struct ReservationDocument: VersionedDocument {
    /// Uploads that a count can be held against one by one. The room of older ones is added up.
    static let maximumRecent = 128
    /// Ends of older ones are kept to so many seconds.
    private static let step: TimeInterval = 300
    /// Clocks of copies and of the store differ by less, in seconds.
    private static let skew: TimeInterval = 60
    /// So long devices may go on with credentials of before, in seconds.
    private static let credentials: TimeInterval = 3600

    struct Count: Codable, Sendable, Equatable {
        let bytes: Int64
        let objects: Int
        /// When it was begun.
        let at: Date
    }

    struct Older: Codable, Sendable, Equatable {
        /// What they may add to the last count.
        var room: Int64
        /// What they may add to a count in which none of them is.
        var size: Int64
        let endsAt: Date
    }

    package var version: Int
    /// `nil` before the first one for a reservation.
    var count: Count?
    /// Since when nothing but what was reserved comes; `nil` while devices write photos by themselves.
    var aloneSince: Date?
    /// The youngest last.
    var recent: [UploadReservation] = []
    /// In the order of their ends.
    var older: [Older] = []

    init() { version = 1 }

    /// Bytes that are kept free.
    var reserved: Int64 { recent.reduce(0) { $0 + $1.room } + older.reduce(0) { $0 + $1.room } }

    /// Whether all that came since the count was reserved.
    var isSettled: Bool {
        guard let count, let aloneSince else { return false }
        return aloneSince.addingTimeInterval(Self.credentials + Self.skew) <= count.at
    }

    /// Notes whether devices write photos by themselves.
    mutating func note(isAlone: Bool, at time: Date) {
        // Dates are stored in whole seconds.
        let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.up))
        aloneSince = isAlone ? aloneSince ?? time : nil
    }

    /// Takes a count, unless a later one is known. What ended before it is in it, or never came.
    /// - Parameters:
    ///   - sizes: what it found at the keys of those that were known when it began.
    ///   - time: now. A count of later, made by a clock that is ahead, gives way.
    /// - Returns: whether it was taken.
    mutating func take(_ new: Count, sizes: [String: Int64], at time: Date) -> Bool {
        guard count.map({ $0.at < new.at || $0.at > time.addingTimeInterval(Self.skew) }) ?? true else { return false }
        count = new
        recent.removeAll { $0.endsAt.addingTimeInterval(Self.skew) < new.at }
        older.removeAll { $0.endsAt.addingTimeInterval(Self.skew) < new.at }
        for index in recent.indices { recent[index].counted = sizes[recent[index].key] ?? 0 }
        // Which of these came is not known: room is kept for all of them until they end.
        for index in older.indices { older[index].room = older[index].size }
        return true
    }

    /// Keeps room for a group, if there is any. What was reserved before for the same object is part of it.
    /// - Parameter sizes: what this document's very count found at keys; it is replaced.
    /// - Returns: whether there was room.
    mutating func reserve(_ group: ReservationGroup, limit: Int64, sizes: [String: Int64], at time: Date) -> Bool {
        if group.isEmpty { return true }
        guard let count else { return false }
        var next = self
        for one in group { next.add(one, counted: sizes[one.key] ?? 0) }
        guard count.bytes + next.reserved <= limit else { return false }
        next.fold(at: time)
        self = next
        return true
    }

    private mutating func add(_ new: UploadReservation, counted: Int64) {
        var new = new
        new.counted = counted
        if let index = recent.firstIndex(where: { $0.key == new.key }) {
            // Either address may be used: the longer one counts.
            let known = recent.remove(at: index)
            new.size = max(new.size, known.size)
            new.endsAt = max(new.endsAt, known.endsAt)
            new.counted = known.counted
        }
        recent.append(new)
    }

    /// Adds up what is too much to be kept one by one: what has ended, then the smallest, for it matters least whether those
    /// came.
    private mutating func fold(at time: Date) {
        let surplus = recent.count - Self.maximumRecent
        guard surplus > 0 else { return }
        let order = recent.indices.sorted { left, right in
            let (isOver, isOtherOver) = (recent[left].endsAt <= time, recent[right].endsAt <= time)
            if isOver != isOtherOver { return isOver }
            return (recent[left].size, left) < (recent[right].size, right)
        }
        let folded = Set(order.prefix(surplus))
        for index in folded {
            // What has ended waits for the next count, whenever it ended.
            let end = max(recent[index].endsAt, time).timeIntervalSince1970
            let endsAt = Date(timeIntervalSince1970: (end / Self.step).rounded(.up) * Self.step)
            older.append(Older(room: recent[index].room, size: recent[index].size, endsAt: endsAt))
        }
        recent = recent.indices.filter { !folded.contains($0) }.map { recent[$0] }
        let ended = older.lazy.filter { $0.endsAt <= time }.map(\.endsAt).max()
        var sums: [Date: Older] = [:]
        for one in older {
            let endsAt = one.endsAt <= time ? ended ?? one.endsAt : one.endsAt
            let sum = sums[endsAt]
            sums[endsAt] = Older(room: one.room + (sum?.room ?? 0), size: one.size + (sum?.size ?? 0), endsAt: endsAt)
        }
        older = sums.values.sorted { $0.endsAt < $1.endsAt }
    }
}
