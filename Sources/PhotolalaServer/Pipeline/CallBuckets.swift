import Foundation
import Transport

/// How many calls each client has left: buckets that fill evenly and are full again after a minute.
///
/// What is remembered has an upper bound, and a call costs the same however much that is: buckets live in two halves,
/// and when the younger half is full, or a minute old, the older one is dropped as a whole. A bucket that was not asked
/// for in a minute is full, which is what an unknown client's is.
struct CallBuckets {
    /// Whose calls are counted together.
    enum Client: Hashable, Sendable {
        case unknown
        case address(UInt32)
        /// An IPv6 host owns a /64.
        case network(UInt64)
        /// Who owns one /64 often owns the whole /48, so that has a bucket too.
        case site(UInt64)
    }

    private struct Bucket {
        var tokens: Double
        var filledAt: Date
    }

    /// How many clients are remembered.
    static let remembered = 50_000
    /// How many times the calls of one network a site has.
    static let siteFactor = 16.0

    private let callsPerMinute: Double
    private var recent: [Client: Bucket] = [:]
    private var older: [Client: Bucket] = [:]
    private var turnedAt: Date?

    init(callsPerMinute: Double) { self.callsPerMinute = callsPerMinute }

    var count: Int { recent.count + older.count }

    /// Takes a call from a client's bucket, and from its site's; gives how many seconds to wait when one is empty.
    mutating func take(_ address: IPAddress?, at time: Date) -> Int? {
        turn(at: time)
        guard let address else { return take(.unknown, at: time) }
        guard address.width == 128 else { return take(.address(UInt32(truncatingIfNeeded: address.value)), at: time) }
        let site = Client.site(UInt64(truncatingIfNeeded: address.value >> 80))
        let bucket = filled(site, capacity: callsPerMinute * Self.siteFactor, at: time)
        if let wait = wait(bucket, capacity: callsPerMinute * Self.siteFactor) {
            recent[site] = bucket
            return wait
        }
        if let wait = take(.network(UInt64(truncatingIfNeeded: address.value >> 64)), at: time) { return wait }
        recent[site] = Bucket(tokens: bucket.tokens - 1, filledAt: time)
        return nil
    }

    private mutating func take(_ client: Client, at time: Date) -> Int? {
        var bucket = filled(client, capacity: callsPerMinute, at: time)
        let wait = wait(bucket, capacity: callsPerMinute)
        if wait == nil { bucket.tokens -= 1 }
        recent[client] = bucket
        return wait
    }

    private func filled(_ client: Client, capacity: Double, at time: Date) -> Bucket {
        guard var bucket = recent[client] ?? older[client] else { return Bucket(tokens: capacity, filledAt: time) }
        // A clock that was set back fills nothing.
        let elapsed = max(0, time.timeIntervalSince(bucket.filledAt))
        bucket.tokens = min(capacity, bucket.tokens + elapsed * capacity / 60)
        bucket.filledAt = time
        return bucket
    }

    private func wait(_ bucket: Bucket, capacity: Double) -> Int? {
        bucket.tokens >= 1 ? nil : max(1, Int(((1 - bucket.tokens) * 60 / capacity).rounded(.up)))
    }

    private mutating func turn(at time: Date) {
        let began = turnedAt ?? time
        // A call adds two clients at most.
        if abs(time.timeIntervalSince(began)) >= 60 || recent.count + 2 > Self.remembered / 2 {
            older = recent
            recent = [:]
            turnedAt = time
        } else if turnedAt == nil {
            turnedAt = time
        }
    }
}
