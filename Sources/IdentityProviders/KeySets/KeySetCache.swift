import Accounts
import Foundation
import Logging
import Synchronization
import Transport

/// The kept keys of one provider. A key that is there costs one uncontended lock; a fetch is shared by all who wait for
/// it, and its rate is bounded whatever key ids strangers invent.
final class KeySetCache: Sendable {
    private struct State {
        var kept: Kept?
        var lastAttempt: Date?
        var lastAttemptFailed = false
        var flight: Task<Void, Never>?
    }

    private struct Kept {
        let keys: JSONWebKeySet
        let freshUntil: Date
    }

    private enum Step {
        case settled(Result<JSONWebKey, IdentityTokenError>)
        case wait(Task<Void, Never>)
    }

    private let source: KeySetSource
    private let limits: KeySetCacheLimits
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// - Parameter location: where the provider publishes its keys; from settings, never from a token.
    init(
        location: KeySetLocation, transport: any HTTPTransport, limits: KeySetCacheLimits = KeySetCacheLimits(),
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        source = KeySetSource(location: location, transport: transport)
        self.limits = limits
        self.logger = logger
        self.now = now
    }

    /// The key that a token names, or the only one when it names none.
    /// - Throws: `unknownKey` when the provider has no such key; `providerUnavailable` when that cannot be told.
    func key(id: String?, for algorithm: JWSAlgorithm) async throws(IdentityTokenError) -> JSONWebKey {
        switch step(id, algorithm) {
        case .settled(let result): return try result.get()
        case .wait(let flight):
            await flight.value
            let now = now()
            return try state.withLock { settle($0, id, algorithm, now) }.get()
        }
    }

    private func step(_ id: String?, _ algorithm: JWSAlgorithm) -> Step {
        let now = now()
        return state.withLock { state in
            if let kept = state.kept, now < kept.freshUntil, let key = kept.keys.key(id: id, for: algorithm) {
                return .settled(.success(key))
            }
            if let flight = state.flight { return .wait(flight) }
            if isTooSoon(state, now) { return .settled(settle(state, id, algorithm, now)) }
            // Detached from the caller's task: one caller who gives up must not spoil the fetch for the others.
            let flight = Task { await self.refresh() }
            state.flight = flight
            return .wait(flight)
        }
    }

    private func isTooSoon(_ state: State, _ now: Date) -> Bool {
        guard let last = state.lastAttempt else { return false }
        let interval = state.lastAttemptFailed ? limits.retryInterval : limits.minimumInterval
        // A caller that read the clock before the last fetch ended comes a little too early, not after a minute.
        return abs(now.timeIntervalSince(last)) < interval
    }

    /// The answer from what is kept, without asking the provider again.
    private func settle(
        _ state: State, _ id: String?, _ algorithm: JWSAlgorithm, _ now: Date
    ) -> Result<JSONWebKey, IdentityTokenError> {
        if let kept = state.kept, now < kept.freshUntil.addingTimeInterval(limits.staleLifetime),
            let key = kept.keys.key(id: id, for: algorithm)
        {
            return .success(key)
        }
        return .failure(state.lastAttemptFailed ? .providerUnavailable : .unknownKey)
    }

    private func refresh() async {
        let asked = now()
        let outcome: Result<KeySetSource.Answer, KeySetError>
        do {
            outcome = .success(try await source.fetch())
        } catch {
            logger.warning(
                "a provider's keys could not be fetched", metadata: ["url": "\(source.location)", "reason": "\(error)"]
            )
            outcome = .failure(error)
        }
        let ended = now()
        state.withLock { state in
            state.flight = nil
            state.lastAttempt = ended
            switch outcome {
            case .success(let answer):
                let freshUntil = asked.addingTimeInterval(limits.clamp(answer.lifetime))
                state.kept = Kept(keys: answer.keys, freshUntil: freshUntil)
                state.lastAttemptFailed = false
            case .failure: state.lastAttemptFailed = true
            }
        }
    }
}
