import Accounts
import Foundation
import Logging
import Monitoring
import Synchronization
import Transport

/// The cached keys of one provider. A cached key costs one uncontended lock. All waiting callers share a fetch, the
/// fetch rate is limited regardless of the key ids in tokens, and callers wait only for a limited time: expired keys
/// are used while the provider is slow.
final class KeySetCache: Sendable {
    private struct State {
        var cached: CachedKeys?
        var lastAttempt: Date?
        var lastAttemptFailed = false
    }

    private struct CachedKeys {
        let keys: JSONWebKeySet
        let freshUntil: Date
    }

    private enum Lookup {
        case resolved(Result<JSONWebKey, IdentityTokenError>)
        /// A fetch is due.
        /// - Parameter hasKey: whether an expired key can be used instead.
        case refresh(hasKey: Bool)
    }

    private let source: KeySetSource
    private let limits: KeySetCacheLimits
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    private let shared: SharedRefresh

    /// - Parameters:
    ///   - location: where the provider publishes its keys; from settings, never from a token.
    ///   - sleep: the timer that limits how long callers wait.
    init(
        location: KeySetLocation, transport: any HTTPTransport, limits: KeySetCacheLimits = KeySetCacheLimits(),
        logger: Logger, now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        source = KeySetSource(location: location, transport: transport)
        self.limits = limits
        self.logger = logger
        self.now = now
        shared = SharedRefresh(maximumWaiters: limits.maximumWaiters, sleep: sleep)
    }

    /// Returns the key with this id, or the only key if the token names none.
    /// - Throws: `unknownKey` if the provider has no such key; `providerUnavailable` if that cannot be determined.
    func key(id: String?, for algorithm: JWSAlgorithm) async throws(IdentityTokenError) -> JSONWebKey {
        let outcome: SharedRefresh.Outcome
        switch lookUp(id, algorithm) {
        case .resolved(let result): return try result.get()
        case .refresh(let hasKey):
            let limit = hasKey ? limits.waitWithKey : limits.waitWithoutKey
            outcome = await shared.run(waitingAtMost: limit, isOptional: hasKey) { await self.refresh() }
        }
        let now = now()
        do {
            return try state.withLock { cachedKey($0, id, algorithm, now) }.get()
        } catch {
            // A key is known to be missing only after the provider has answered.
            throw outcome == .ended ? error : .providerUnavailable
        }
    }

    private func lookUp(_ id: String?, _ algorithm: JWSAlgorithm) -> Lookup {
        let now = now()
        return state.withLock { state in
            if let cached = state.cached, now < cached.freshUntil, let key = cached.keys.key(id: id, for: algorithm) {
                return .resolved(.success(key))
            }
            let known = cachedKey(state, id, algorithm, now)
            if isTooSoon(state, now) { return .resolved(known) }
            return .refresh(hasKey: (try? known.get()) != nil)
        }
    }

    private func isTooSoon(_ state: State, _ now: Date) -> Bool {
        guard let last = state.lastAttempt else { return false }
        let interval = state.lastAttemptFailed ? limits.retryInterval : limits.minimumInterval
        // The time difference may be slightly negative, because a caller may read the clock before the last fetch
        // ended.
        return abs(now.timeIntervalSince(last)) < interval
    }

    /// Returns the result from the cached keys, without a fetch.
    private func cachedKey(
        _ state: State, _ id: String?, _ algorithm: JWSAlgorithm, _ now: Date
    ) -> Result<JSONWebKey, IdentityTokenError> {
        if let cached = state.cached, now < cached.freshUntil.addingTimeInterval(limits.staleLifetime),
            let key = cached.keys.key(id: id, for: algorithm)
        {
            return .success(key)
        }
        return .failure(state.lastAttemptFailed ? .providerUnavailable : .unknownKey)
    }

    private func refresh() async {
        let startedAt = now()
        // Another refresh may have ended since the caller found that one is due.
        guard !state.withLock({ isTooSoon($0, startedAt) }) else { return }
        let outcome: Result<KeySetSource.FetchedKeySet, KeySetError>
        do {
            outcome = .success(try await source.fetch())
        } catch {
            logger.warning(
                .providerKeysFailed, "fetching provider keys failed",
                metadata: ["url": "\(source.location)", "reason": "\(error)"]
            )
            outcome = .failure(error)
        }
        let ended = now()
        state.withLock { state in
            state.lastAttempt = ended
            switch outcome {
            case .success(let fetched):
                let freshUntil = startedAt.addingTimeInterval(limits.clamp(fetched.lifetime))
                state.cached = CachedKeys(keys: fetched.keys, freshUntil: freshUntil)
                state.lastAttemptFailed = false
            case .failure: state.lastAttemptFailed = true
            }
        }
    }
}
