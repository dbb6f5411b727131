import Synchronization

/// The time of the last transfer on the requests to each host, and the hosts that no longer respond.
final class HostActivity: Sendable {
    /// The number of consecutive requests without a response, each started after the previous one failed, after which
    /// a host counts as silent.
    private static let failureThreshold = 3
    /// The minimum time for which a silent host is not contacted; the limit if that is longer.
    private static let minimumPause = Duration.seconds(60)
    /// The time after a request's start before which sent bytes may only be in the buffers of this machine.
    private static let bufferingTime = Duration.seconds(5)

    /// A request that waits for its host.
    private struct Wait {
        /// When a byte was last transferred.
        var since: Duration
        /// Whether it waits for its own body source instead.
        var isPaused = false
    }

    private struct Host {
        var waits: [Int: Wait] = [:]
        var lastActivity: Duration?
        /// When the first request without a response started.
        var silentSince: Duration?
        var strikes = 0
        var lastStrike: Duration?
        var closedUntil: Duration?

        mutating func recordActivity(at now: Duration) {
            lastActivity = now
            (silentSince, strikes, lastStrike, closedUntil) = (nil, 0, nil, nil)
        }
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var exchanges = 0
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// - Parameter limit: The maximum time without a transferred byte.
    init(limit: Duration) { self.limit = limit }

    /// Starts a request.
    /// - Throws: `notSent` while the host counts as silent.
    func begin(_ host: String, at now: Duration) throws(TransportError) -> Exchange {
        let id = state.withLock { state -> Int? in
            if let closed = state.hosts[host]?.closedUntil, now < closed { return nil }
            state.exchanges += 1
            return state.exchanges
        }
        guard let id else { throw .notSent("no response from \(host)") }
        return Exchange(activity: self, host: host, id: id, began: now)
    }

    /// Returns how long requests to a host have been waiting without a transferred byte on any of them, or how long a
    /// host that counts as silent has been silent; `nil` if neither applies.
    func stallDuration(at now: Duration) -> Duration? {
        state.withLock { state in
            let moved = state.hosts.values.compactMap { host in
                let waits = host.waits.values.lazy.filter { !$0.isPaused }.map(\.since).max()
                let isClosed = host.closedUntil.map { now < $0 } ?? false
                // The silence of several attempts is added up.
                return waits == nil && !isClosed ? nil : host.silentSince ?? waits
            }
            return moved.min().map { now - $0 }
        }
    }

    private func update(_ host: String, _ body: (inout Host) -> Void) {
        state.withLock { body(&$0.hosts[host, default: Host()]) }
    }

    private func recordFailure(_ host: inout Host, began: Duration, at now: Duration) {
        guard host.lastActivity.map({ $0 < began }) ?? true else { return }
        // Concurrent requests that fail together count once.
        guard host.lastStrike.map({ began >= $0 }) ?? true else { return }
        let since = host.silentSince ?? began
        (host.silentSince, host.strikes, host.lastStrike) = (since, host.strikes + 1, now)
        guard host.strikes >= Self.failureThreshold, now - since >= limit * 2 else { return }
        host.closedUntil = now + max(limit, Self.minimumPause)
    }

    /// A request to a host, from its start to the end of its response.
    final class Exchange: Sendable {
        private let activity: HostActivity
        private let host: String
        private let id: Int
        private let began: Duration
        private let stalled = Atomic(false)

        fileprivate init(activity: HostActivity, host: String, id: Int, began: Duration) {
            (self.activity, self.host, self.id, self.began) = (activity, host, id, began)
        }

        /// Whether no byte was transferred for too long.
        var isStalled: Bool { stalled.load(ordering: .relaxed) }

        /// Starts waiting for the host.
        func beginWaiting(at now: Duration) { activity.update(host) { $0.waits[id] = Wait(since: now) } }

        /// Stops waiting, because the request was cancelled.
        func cancel() { activity.update(host) { $0.waits[id] = nil } }

        /// Records that bytes were sent, and waits for the body source.
        func recordSent(at now: Duration) {
            let isProof = now - began >= HostActivity.bufferingTime
            activity.update(host) { host in
                host.waits[id]?.isPaused = true
                if isProof { host.recordActivity(at: now) }
            }
        }

        /// Records that the body source provided more bytes. Has no effect once the request has ended.
        func resume(at now: Duration) {
            activity.update(host) { host in
                if host.waits[id] != nil { host.waits[id] = Wait(since: now) }
            }
        }

        /// Records that the response header or a part of its body was received.
        func recordReceived(at now: Duration) {
            activity.update(host) { host in
                host.waits[id] = nil
                host.recordActivity(at: now)
            }
        }

        /// Records that the request failed.
        func recordFailure(at now: Duration) {
            let (activity, began, id) = (activity, began, id)
            activity.update(host) { host in
                host.waits[id] = nil
                activity.recordFailure(&host, began: began, at: now)
            }
        }

        /// Returns how long the request may still wait; `nil` if no byte was transferred for `limit`, in which case
        /// it counts as stalled.
        func timeLeft(of limit: Duration, at now: Duration) -> Duration? {
            let wait = activity.state.withLock { $0.hosts[host]?.waits[id] }
            let remaining = wait.map { $0.isPaused ? limit : limit - (now - $0.since) } ?? limit
            guard remaining <= .zero else { return remaining }
            stalled.store(true, ordering: .relaxed)
            return nil
        }
    }
}
