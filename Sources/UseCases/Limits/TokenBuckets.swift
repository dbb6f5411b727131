import Foundation

/// Token buckets with the remaining calls of each caller. They fill evenly and are full again after one minute; those
/// for hints after ten minutes.
///
/// Memory is bounded, and a call takes constant time: buckets are kept in two halves, and when the younger half is full
/// or ten minutes old, the older half is dropped. A bucket that was not used for ten minutes is full, like that of an
/// unknown caller.
struct TokenBuckets {
    private struct Bucket {
        var tokens: Double
        var filledAt: Date
    }

    /// The number of callers that are remembered.
    static let generationCapacity = 50_000

    let rates: CallRates
    private var recent: [RateLimitKey: Bucket] = [:]
    private var previous: [RateLimitKey: Bucket] = [:]
    private var rotatedAt: Date?
    /// The consumed calls that were not yet shared with other instances; `nil` if calls are not shared.
    private var counts: [RateLimitKey: Int]?

    init(_ rates: CallRates, areShared: Bool = false) {
        self.rates = rates
        counts = areShared ? [:] : nil
    }

    var count: Int { recent.count + previous.count }

    /// Consumes a call of a caller and of its group. Returns the seconds to wait if either bucket is empty.
    mutating func consume(_ key: RateLimitKey, in group: RateLimitKey? = nil, at time: Date) -> Int? {
        rotate(at: time)
        if let wait = check(key, in: group, at: time) { return wait }
        if let group { consume(1, from: group, at: time) }
        consume(1, from: key, at: time)
        return nil
    }

    /// Returns the seconds that a caller has to wait, or `nil` if it has calls left. Consumes nothing.
    mutating func check(_ key: RateLimitKey, in group: RateLimitKey? = nil, at time: Date) -> Int? {
        if let group, let wait = waitTime(group, at: time) { return wait }
        return waitTime(key, at: time)
    }

    /// Consumes calls that other instances counted, even if the bucket does not have them.
    mutating func apply(_ calls: Int, to key: RateLimitKey, at time: Date) {
        rotate(at: time)
        let capacity = key.capacity(rates)
        guard capacity > 0 else { return }
        var bucket = refilled(key, capacity, at: time)
        bucket.tokens = max(-key.maximumDebt * capacity, bucket.tokens - Double(calls))
        recent[key] = bucket
    }

    /// Returns whether any calls consumed since the last exchange satisfy a condition.
    func hasCounts(where isMet: (RateLimitKey, Int) -> Bool) -> Bool {
        counts?.contains { isMet($0.key, $0.value) } ?? false
    }

    /// Returns the calls consumed since the last exchange and resets the counts.
    mutating func drainCounts() -> [RateLimitKey: Int] {
        guard let taken = counts, !taken.isEmpty else { return [:] }
        counts = [:]
        return taken
    }

    private mutating func consume(_ calls: Double, from key: RateLimitKey, at time: Date) {
        let capacity = key.capacity(rates)
        guard capacity > 0 else { return }
        var bucket = refilled(key, capacity, at: time)
        bucket.tokens -= calls
        recent[key] = bucket
        // A second reference to the counts would copy them at the next change.
        guard let number = counts?.count, number < Self.generationCapacity || counts?[key] != nil else { return }
        counts?[key, default: 0] += 1
    }

    private mutating func waitTime(_ key: RateLimitKey, at time: Date) -> Int? {
        let capacity = key.capacity(rates)
        guard capacity > 0 else { return nil }
        let bucket = refilled(key, capacity, at: time)
        guard bucket.tokens < 1 else { return nil }
        // Keeps the bucket of a caller that repeats refused calls.
        recent[key] = bucket
        return max(1, Int(((1 - bucket.tokens) * key.refillTime / capacity).rounded(.up)))
    }

    private func refilled(_ key: RateLimitKey, _ capacity: Double, at time: Date) -> Bucket {
        guard var bucket = recent[key] ?? previous[key] else { return Bucket(tokens: capacity, filledAt: time) }
        // A clock that was set back does not fill the bucket.
        let elapsed = max(0, time.timeIntervalSince(bucket.filledAt))
        bucket.tokens = min(capacity, bucket.tokens + elapsed * capacity / key.refillTime)
        bucket.filledAt = time
        return bucket
    }

    private mutating func rotate(at time: Date) {
        let began = rotatedAt ?? time
        // A call adds at most two buckets.
        if abs(time.timeIntervalSince(began)) >= 600 || recent.count + 2 > Self.generationCapacity / 2 {
            previous = recent
            recent = [:]
            rotatedAt = time
        } else if rotatedAt == nil {
            rotatedAt = time
        }
    }
}
