import Foundation

/// How many calls each party has left: buckets that fill evenly and are full again after a minute, for hints after
/// ten.
///
/// What is remembered has an upper bound, and a call costs the same however much that is: buckets live in two halves,
/// and when the younger half is full, or ten minutes old, the older one is dropped as a whole. A bucket that was not asked
/// for in ten minutes is full, which is what an unknown party's is.
struct CallBuckets {
    private struct Bucket {
        var tokens: Double
        var filledAt: Date
    }

    /// How many parties are remembered.
    static let remembered = 50_000

    let rates: CallRates
    private var recent: [CallParty: Bucket] = [:]
    private var older: [CallParty: Bucket] = [:]
    private var turnedAt: Date?
    /// What was taken and no other copy heard of; `nil` where none is to.
    private var counts: [CallParty: Int]?

    init(_ rates: CallRates, areShared: Bool = false) {
        self.rates = rates
        counts = areShared ? [:] : nil
    }

    var count: Int { recent.count + older.count }

    /// Takes a call from a party's bucket, and from that of those it belongs to; gives how many seconds to wait when one
    /// is empty.
    mutating func take(_ party: CallParty, in group: CallParty? = nil, at time: Date) -> Int? {
        turn(at: time)
        if let wait = look(party, in: group, at: time) { return wait }
        if let group { take(1, from: group, at: time) }
        take(1, from: party, at: time)
        return nil
    }

    /// How many seconds a party has to wait; `nil` when it has calls left.
    mutating func look(_ party: CallParty, in group: CallParty? = nil, at time: Date) -> Int? {
        if let group, let wait = wait(group, at: time) { return wait }
        return wait(party, at: time)
    }

    /// Takes calls that were made elsewhere, whether they are there or not.
    mutating func apply(_ calls: Int, to party: CallParty, at time: Date) {
        turn(at: time)
        let capacity = party.capacity(rates)
        guard capacity > 0 else { return }
        var bucket = filled(party, capacity, at: time)
        bucket.tokens = max(-party.debt * capacity, bucket.tokens - Double(calls))
        recent[party] = bucket
    }

    /// What was taken since the last time.
    mutating func takeCounts() -> [CallParty: Int] {
        guard let taken = counts, !taken.isEmpty else { return [:] }
        counts = [:]
        return taken
    }

    private mutating func take(_ calls: Double, from party: CallParty, at time: Date) {
        let capacity = party.capacity(rates)
        guard capacity > 0 else { return }
        var bucket = filled(party, capacity, at: time)
        bucket.tokens -= calls
        recent[party] = bucket
        guard let known = counts, known.count < Self.remembered || known[party] != nil else { return }
        counts?[party, default: 0] += 1
    }

    private mutating func wait(_ party: CallParty, at time: Date) -> Int? {
        let capacity = party.capacity(rates)
        guard capacity > 0 else { return nil }
        let bucket = filled(party, capacity, at: time)
        guard bucket.tokens < 1 else { return nil }
        // Who asks again and again is remembered.
        recent[party] = bucket
        return max(1, Int(((1 - bucket.tokens) * party.fillTime / capacity).rounded(.up)))
    }

    private func filled(_ party: CallParty, _ capacity: Double, at time: Date) -> Bucket {
        guard var bucket = recent[party] ?? older[party] else { return Bucket(tokens: capacity, filledAt: time) }
        // A clock that was set back fills nothing.
        let elapsed = max(0, time.timeIntervalSince(bucket.filledAt))
        bucket.tokens = min(capacity, bucket.tokens + elapsed * capacity / party.fillTime)
        bucket.filledAt = time
        return bucket
    }

    private mutating func turn(at time: Date) {
        let began = turnedAt ?? time
        // A call adds two parties at most.
        if abs(time.timeIntervalSince(began)) >= 600 || recent.count + 2 > Self.remembered / 2 {
            older = recent
            recent = [:]
            turnedAt = time
        } else if turnedAt == nil {
            turnedAt = time
        }
    }
}
