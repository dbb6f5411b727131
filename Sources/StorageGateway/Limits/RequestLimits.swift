import Foundation
import PhotolalaAPI
import StorageAccess
import Synchronization

/// Limits requests per account and per client network. Each has a token bucket that holds one minute's requests and
/// refills evenly. Every process counts separately.
final class RequestLimits: Sendable {
    /// The number of records that a request may read at the cost of one request.
    private static let recordsPerRequest = 20

    private let accounts: Mutex<RequestBuckets<UserID>>
    /// Requests of the visitors of an account's shared links, who must not use up those of its owner.
    private let visitors: Mutex<RequestBuckets<UserID>>
    private let networks: Mutex<RequestBuckets<UInt64>>
    private let now: @Sendable () -> Date

    /// - Parameter perAccount, perAddress: Requests per minute; 0 sets no limit.
    init(perAccount: Int, perAddress: Int, now: @escaping @Sendable () -> Date) {
        accounts = Mutex(RequestBuckets(capacity: perAccount))
        visitors = Mutex(RequestBuckets(capacity: perAccount))
        networks = Mutex(RequestBuckets(capacity: perAddress))
        self.now = now
    }

    /// Counts a request with a valid signature.
    /// - Throws: `SlowDown` if the limit of its account, or of all visitors of the account's shared links, is exceeded.
    func consume(by session: SealedStorageSession) throws(S3Error) {
        let time = now()
        let wait =
            if session.sharedLink == nil {
                accounts.withLock { $0.consume(session.user, at: time) }
            } else {
                visitors.withLock { $0.consume(session.user, at: time) }
            }
        if let wait { throw .slowDown(retryAfter: wait) }
    }

    /// Charges a completed request for records beyond its share; later requests of the account wait for it.
    /// - Parameter records: The number of records that one request read.
    func charge(records: Int, to user: UserID) {
        let time = now()
        accounts.withLock { $0.charge(records / Self.recordsPerRequest, to: user, at: time) }
    }

    /// Counts a request before it is authenticated.
    func consume(from network: UInt64) throws(S3Error) {
        let time = now()
        if let wait = networks.withLock({ $0.consume(network, at: time) }) { throw .slowDown(retryAfter: wait) }
    }
}

/// Token buckets by key. Memory is bounded: there are two generations, and the older is dropped when the newer is
/// full or a minute old. A bucket unused for a minute is full, as is a new one.
struct RequestBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: Date
    }

    /// The maximum number of keys in each generation.
    private let generationCapacity = 50_000
    private let fillTime: TimeInterval = 60
    private let capacity: Double
    private var recent: [Key: Bucket] = [:]
    private var older: [Key: Bucket] = [:]
    private var rotatedAt = Date.distantPast

    /// - Parameter capacity: Requests per minute; 0 sets no limit.
    init(capacity: Int) { self.capacity = Double(capacity) }

    /// Consumes one token.
    /// - Returns: The seconds to wait if there is none.
    mutating func consume(_ key: Key, at time: Date) -> Int? {
        guard capacity > 0 else { return nil }
        var bucket = refill(key, at: time)
        defer { recent[key] = bucket }
        guard bucket.tokens < 1 else {
            bucket.tokens -= 1
            return nil
        }
        return max(1, Int(((1 - bucket.tokens) * fillTime / capacity).rounded(.up)))
    }

    /// Consumes tokens retroactively. The debt is limited to one minute's tokens, which a key dropped after a minute
    /// without requests no longer owes.
    mutating func charge(_ count: Int, to key: Key, at time: Date) {
        guard capacity > 0, count > 0 else { return }
        var bucket = refill(key, at: time)
        bucket.tokens = max(-capacity, bucket.tokens - Double(count))
        recent[key] = bucket
    }

    private mutating func refill(_ key: Key, at time: Date) -> Bucket {
        if abs(time.timeIntervalSince(rotatedAt)) >= fillTime || recent.count >= generationCapacity {
            (older, recent, rotatedAt) = (recent, [:], time)
        }
        var bucket = recent[key] ?? older[key] ?? Bucket(tokens: capacity, filledAt: time)
        // A clock that was set back adds no tokens.
        let elapsed = max(0, time.timeIntervalSince(bucket.filledAt))
        bucket.tokens = min(capacity, bucket.tokens + elapsed * capacity / fillTime)
        bucket.filledAt = time
        return bucket
    }
}
