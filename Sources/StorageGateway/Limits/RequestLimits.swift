import Foundation
import PhotolalaAPI
import Synchronization

/// Limits requests by account and by client network: each has a bucket that holds a minute's requests and fills evenly.
/// Every process counts its own.
final class RequestLimits: Sendable {
    /// How many records a request may read for the price of one.
    private static let recordsPerRequest = 20

    private let accounts: Mutex<RequestBuckets<UserID>>
    private let networks: Mutex<RequestBuckets<UInt64>>
    private let now: @Sendable () -> Date

    /// - Parameter perAccount, perAddress: requests a minute; 0 sets no limit.
    init(perAccount: Int, perAddress: Int, now: @escaping @Sendable () -> Date) {
        accounts = Mutex(RequestBuckets(capacity: perAccount))
        networks = Mutex(RequestBuckets(capacity: perAddress))
        self.now = now
    }

    /// Counts a request of an account whose signature holds.
    /// - Throws: `SlowDown`, where the account has made too many.
    func consume(by user: UserID) throws(S3Error) {
        let time = now()
        if let wait = accounts.withLock({ $0.consume(user, at: time) }) { throw .slowDown(retryAfter: wait) }
    }

    /// Counts what a request read beyond its share, after it was answered: later requests of the account wait for it.
    /// - Parameter records: records that one request read.
    func charge(records: Int, to user: UserID) {
        let time = now()
        accounts.withLock { $0.charge(records / Self.recordsPerRequest, to: user, at: time) }
    }

    /// Counts a request before anything of it is checked.
    func consume(from network: UInt64) throws(S3Error) {
        let time = now()
        if let wait = networks.withLock({ $0.consume(network, at: time) }) { throw .slowDown(retryAfter: wait) }
    }
}

/// Token buckets by key. Memory is bounded: of two halves the older one is dropped when the younger is full, or a minute
/// old; a bucket that was not used for a minute is full, which is what an unknown one is.
struct RequestBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: Date
    }

    /// How many keys each half holds.
    private let remembered = 50_000
    private let fillTime: TimeInterval = 60
    private let capacity: Double
    private var recent: [Key: Bucket] = [:]
    private var older: [Key: Bucket] = [:]
    private var turnedAt = Date.distantPast

    /// - Parameter capacity: requests a minute; 0 sets no limit.
    init(capacity: Int) { self.capacity = Double(capacity) }

    /// Takes one token. Returns the seconds to wait where there is none.
    mutating func consume(_ key: Key, at time: Date) -> Int? {
        guard capacity > 0 else { return nil }
        var bucket = filled(key, at: time)
        defer { recent[key] = bucket }
        guard bucket.tokens < 1 else {
            bucket.tokens -= 1
            return nil
        }
        return max(1, Int(((1 - bucket.tokens) * fillTime / capacity).rounded(.up)))
    }

    /// Takes tokens that were used already. The bucket owes a minute's tokens at most, which a key that is dropped after a
    /// minute without requests no longer owes.
    mutating func charge(_ count: Int, to key: Key, at time: Date) {
        guard capacity > 0, count > 0 else { return }
        var bucket = filled(key, at: time)
        bucket.tokens = max(-capacity, bucket.tokens - Double(count))
        recent[key] = bucket
    }

    private mutating func filled(_ key: Key, at time: Date) -> Bucket {
        if abs(time.timeIntervalSince(turnedAt)) >= fillTime || recent.count >= remembered {
            (older, recent, turnedAt) = (recent, [:], time)
        }
        var bucket = recent[key] ?? older[key] ?? Bucket(tokens: capacity, filledAt: time)
        // A clock that was set back fills nothing.
        let elapsed = max(0, time.timeIntervalSince(bucket.filledAt))
        bucket.tokens = min(capacity, bucket.tokens + elapsed * capacity / fillTime)
        bucket.filledAt = time
        return bucket
    }
}
