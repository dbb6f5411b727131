import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Limits the calls under `/auth` by client address: a bucket that fills evenly and holds one minute's calls.
///
/// It is this process's own: behind many copies a client gets as many times the limit.
final class RateLimit: RouterMiddleware {
    typealias Context = ServerContext

    /// How many addresses are remembered; beyond that the fullest buckets, which hold nobody back, are dropped.
    static let rememberedAddresses = 50_000

    private struct Bucket {
        var tokens: Double
        var filledAt: Date
    }

    private let callsPerMinute: Double
    private let client: ClientAddress
    private let now: @Sendable () -> Date
    private let buckets = Mutex<[String: Bucket]>([:])

    init(callsPerMinute: Int, client: ClientAddress, now: @escaping @Sendable () -> Date) {
        self.callsPerMinute = Double(callsPerMinute)
        self.client = client
        self.now = now
    }

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // The first segment, as the router sees it: `//auth/…` is the same path to it.
        guard callsPerMinute > 0, request.uri.path.split(separator: "/").first == "auth" else {
            return try await next(request, context)
        }
        let name = AddressRange.limitName(client.resolve(request, context))
        if let wait = take(name) { throw RateLimited(retryAfter: wait) }
        return try await next(request, context)
    }

    /// Takes a call from an address's bucket; answers how many seconds to wait when it is empty.
    func take(_ address: String) -> Int? {
        let time = now()
        let perSecond = callsPerMinute / 60
        return buckets.withLock { buckets in
            if buckets.count >= Self.rememberedAddresses { drop(&buckets, at: time, perSecond) }
            var bucket = buckets[address] ?? Bucket(tokens: callsPerMinute, filledAt: time)
            let elapsed = max(0, time.timeIntervalSince(bucket.filledAt))
            bucket.tokens = min(callsPerMinute, bucket.tokens + elapsed * perSecond)
            bucket.filledAt = time
            let wait = bucket.tokens >= 1 ? nil : max(1, Int(((1 - bucket.tokens) / perSecond).rounded(.up)))
            if wait == nil { bucket.tokens -= 1 }
            buckets[address] = bucket
            return wait
        }
    }

    private func drop(_ buckets: inout [String: Bucket], at time: Date, _ perSecond: Double) {
        buckets = buckets.filter { _, bucket in
            bucket.tokens + time.timeIntervalSince(bucket.filledAt) * perSecond < callsPerMinute
        }
        // All of them in use at once: an attack from everywhere. Forgetting is the bounded answer.
        if buckets.count >= Self.rememberedAddresses { buckets.removeAll() }
    }
}

/// A client has made too many calls.
struct RateLimited: Error {
    /// Seconds.
    let retryAfter: Int
}
