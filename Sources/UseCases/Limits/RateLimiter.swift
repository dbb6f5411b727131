import Foundation
import Monitoring
import PhotolalaAPI
import Sharing
import Synchronization

/// The rate limits, in calls per minute. Each is also the burst size; 0 means no limit.
package struct CallRates: Sendable, Equatable {
    /// Calls of one client address to `/auth` and in authorization requests; also the limit for its refused calls
    /// elsewhere.
    package let address: Int
    /// Calls with one verified identity, and calls in one session.
    package let identity: Int
    /// Calls of all clients to the endpoints that `address` covers.
    package let total: Int
    /// Calls in all sessions of one account together.
    package let account: Int
    /// Calls of one client address with a token or session cookie, where `address` does not apply; also the limit for its
    /// calls as a visitor of shared links.
    package let signedInAddress: Int

    package init(address: Int, identity: Int, total: Int, account: Int = 0, signedInAddress: Int = 0) {
        self.address = address
        self.identity = identity
        self.total = total
        self.account = account
        self.signedInAddress = signedInAddress
    }

    /// No limits.
    package static let none = CallRates(address: 0, identity: 0, total: 0)
}

/// What a call of a session is for, where its account has no calls left.
package enum CallPurpose: Sendable {
    case general
    /// Protects the account from another session: lists and ends sessions, devices and identities, and what these acts
    /// need. Other sessions must not be able to keep the owner from it.
    case protection
}

/// Counts calls and says who has made too many. What a copy counts itself holds at once; what the others counted comes
/// with `SharedRateLimits`, so across copies a limit holds over minutes and not to the call.
package final class RateLimiter: Sendable {
    /// Whether counts are shared with other instances.
    package let areShared: Bool
    private let buckets: Mutex<TokenBuckets>
    /// Refused calls to endpoints where not all calls are counted; each instance counts its own.
    private let refusals: Mutex<TokenBuckets>
    /// Calls with a token or session cookie, by address; each instance counts its own.
    private let signedIn: Mutex<TokenBuckets>
    /// Calls of visitors of shared links, by address; each instance counts its own.
    private let visitors: Mutex<TokenBuckets>
    private let metrics: ServiceMetrics
    private let now: @Sendable () -> Date

    /// - Parameter areShared: whether counts are shared with other instances; ignored without limits.
    package init(
        _ rates: CallRates, areShared: Bool, metrics: ServiceMetrics, now: @escaping @Sendable () -> Date
    ) {
        self.metrics = metrics
        let areShared = areShared && rates != .none
        self.areShared = areShared
        buckets = Mutex(TokenBuckets(rates, areShared: areShared))
        refusals = Mutex(TokenBuckets(rates))
        signedIn = Mutex(TokenBuckets(CallRates(address: rates.signedInAddress, identity: 0, total: 0)))
        visitors = Mutex(TokenBuckets(CallRates(address: rates.signedInAddress, identity: 0, total: 0)))
        self.now = now
    }

    /// Consumes a call of a client.
    /// - Throws: `rateLimited` for this client; `overloaded` if all clients together exceed the limit.
    package func consume(_ client: ClientRateLimitKey) throws(ServiceError) {
        let time = now()
        if let wait = buckets.withLock({ $0.consume(client.key, in: client.site, at: time) }) {
            throw refusal(by: .address, for: wait)
        }
        if let wait = buckets.withLock({ $0.consume(.everyone, at: time) }) {
            count(.total)
            throw .overloaded(retryAfter: wait)
        }
    }

    /// Consumes a call with a token or session cookie, before either is verified.
    package func consumeSignedIn(_ client: ClientRateLimitKey) throws(ServiceError) {
        let time = now()
        if let wait = signedIn.withLock({ $0.consume(client.key, in: client.site, at: time) }) {
            throw refusal(by: .signedInAddress, for: wait)
        }
    }

    /// Consumes a call of a visitor of a shared link, before the link is read.
    package func consumeVisit(_ client: ClientRateLimitKey) throws(ServiceError) {
        let time = now()
        if let wait = visitors.withLock({ $0.consume(client.key, in: client.site, at: time) }) {
            throw refusal(by: .visitor, for: wait)
        }
    }

    /// Refuses a client that was refused too often. Consumes nothing.
    package func checkRefusals(_ client: ClientRateLimitKey) throws(ServiceError) {
        let time = now()
        if let wait = refusals.withLock({ $0.check(client.key, in: client.site, at: time) }) {
            throw refusal(by: .refusedAddress, for: wait)
        }
    }

    /// Counts a refused call of a client to an endpoint where not all calls are counted.
    package func countRefusal(_ client: ClientRateLimitKey) {
        let time = now()
        _ = refusals.withLock { $0.consume(client.key, in: client.site, at: time) }
    }

    /// Consumes a call with a verified identity.
    func consume(_ provider: ProviderName, subject: String) throws(ServiceError) {
        try consume(RateLimitKey(provider, subject: subject), .identity)
    }

    /// Consumes a call in a session, before the store is asked whether the session exists.
    func consume(_ session: SessionID) throws(ServiceError) { try consume(RateLimitKey(session), .session) }

    /// Checks that an account has calls left for a device's session; consumes none, because the token may be of a session that is over.
    func check(_ user: UserID, on device: DeviceID, for purpose: CallPurpose) throws(ServiceError) {
        let time = now()
        let wait = buckets.withLock { buckets -> Int? in
            guard let wait = buckets.check(RateLimitKey(user), at: time) else { return nil }
            return purpose == .general ? wait : buckets.check(RateLimitKey(reserveOf: device, of: user), at: time)
        }
        if let wait { throw refusal(by: .account, for: wait) }
    }

    /// Consumes a call of an account, once its session is known to stand: a token of a session that is over must not use
    /// up its owner's calls. Where the account has none left, a call that protects it is one of the device's reserve: with
    /// one for each session, signing in again would bring more.
    func consume(_ user: UserID, on device: DeviceID, for purpose: CallPurpose) throws(ServiceError) {
        let time = now()
        let wait = buckets.withLock { buckets -> Int? in
            guard let wait = buckets.consume(RateLimitKey(user), at: time) else { return nil }
            return purpose == .general ? wait : buckets.consume(RateLimitKey(reserveOf: device, of: user), at: time)
        }
        if let wait { throw refusal(by: .account, for: wait) }
    }

    /// Consumes a hint about an e-mail address.
    func consumeHint(for address: String) throws(ServiceError) { try consume(RateLimitKey(hintFor: address), .hint) }

    /// Returns whether a view of a shared link may be counted, which costs a write.
    func consumeView(of link: SharedLinkID) -> Bool {
        let time = now()
        return buckets.withLock { $0.consume(RateLimitKey(viewsOf: link), at: time) } == nil
    }

    /// Consumes an attempt at the password of a shared link.
    func consumePassword(of link: SharedLinkID) throws(ServiceError) {
        try consume(RateLimitKey(passwordOf: link), .password)
    }

    private func consume(_ key: RateLimitKey, _ limit: Limit) throws(ServiceError) {
        let time = now()
        if let wait = buckets.withLock({ $0.consume(key, at: time) }) { throw refusal(by: limit, for: wait) }
    }

    /// A limit, as a label of metrics.
    enum Limit: String, CaseIterable {
        case address
        case signedInAddress = "signed_in_address"
        case refusedAddress = "refused_address"
        case identity
        case session
        case account
        case hint
        case password
        case visitor
        case total
    }

    private func refusal(by limit: Limit, for seconds: Int) -> ServiceError {
        count(limit)
        return .rateLimited(retryAfter: seconds)
    }

    private func count(_ limit: Limit) { metrics.increment(ServiceMetric.rateLimited, [limit.rawValue]) }

    /// Whether there are calls that the next exchange would report.
    package var hasSharedCounts: Bool {
        buckets.withLock { buckets in buckets.hasCounts { Self.isNear($0, $1, buckets.rates) } }
    }

    /// Returns the calls since the last exchange of callers near their limits; the nearest first if there are more than
    /// `most`.
    func drainSharedCounts(most: Int) -> [RateLimitKey: Int] {
        let (counts, rates) = buckets.withLock { ($0.drainCounts(), $0.rates) }
        let near = counts.filter { Self.isNear($0.key, $0.value, rates) }
        guard near.count > most else { return near }
        let share = { (key: RateLimitKey, count: Int) in Double(count) / key.capacity(rates) }
        let nearest = near.sorted { share($0.key, $0.value) > share($1.key, $1.value) }.prefix(most)
        return Dictionary(uniqueKeysWithValues: nearest.map { ($0.key, $0.value) })
    }

    /// A sixtieth of the limit in the ten seconds between two exchanges is a tenth of the allowed rate.
    private static func isNear(_ key: RateLimitKey, _ count: Int, _ rates: CallRates) -> Bool {
        key.hasFewCalls || count >= 2 && Double(count) / key.capacity(rates) >= 1.0 / 60
    }

    /// Applies the calls that other instances counted.
    func apply(_ counts: [RateLimitKey: Int]) {
        let time = now()
        buckets.withLock { buckets in
            for (key, count) in counts { buckets.apply(count, to: key, at: time) }
        }
    }
}
