import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Limits the calls under `/auth` by client address.
///
/// It is this process's own: behind many copies a client gets as many times the limit.
final class RateLimit: RouterMiddleware {
    typealias Context = ServerContext

    private let isOn: Bool
    private let client: ClientAddress
    private let now: @Sendable () -> Date
    private let buckets: Mutex<CallBuckets>

    /// - Parameter callsPerMinute: 0 sets no limit.
    init(callsPerMinute: Int, client: ClientAddress, now: @escaping @Sendable () -> Date) {
        isOn = callsPerMinute > 0
        self.client = client
        self.now = now
        buckets = Mutex(CallBuckets(callsPerMinute: Double(callsPerMinute)))
    }

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard isOn, isLimited(request.uri.path) else { return try await next(request, context) }
        let address = client.resolve(request, context)
        let time = now()
        if let wait = buckets.withLock({ $0.take(address, at: time) }) { throw RateLimited(retryAfter: wait) }
        return try await next(request, context)
    }

    /// By the first segment, as the router sees it: `//auth/…` is the same path to it.
    private func isLimited(_ path: String) -> Bool { path.drop { $0 == "/" }.prefix { $0 != "/" } == "auth" }
}

/// A client has made too many calls.
struct RateLimited: Error {
    /// Seconds.
    let retryAfter: Int
}
