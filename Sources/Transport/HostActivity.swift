import Synchronization

/// When bytes last moved on the requests to each host, and which hosts do not answer any more.
final class HostActivity: Sendable {
    /// The requests, each begun after the one before had failed, that hear nothing before a host counts as silent.
    private static let strikes = 3
    /// A host that counts as silent is not asked again for this long, or for the limit where that is longer.
    private static let shortestPause = Duration.seconds(60)
    /// Bytes that leave earlier may only have gone into the buffers of this machine.
    private static let bufferingTime = Duration.seconds(5)

    /// A request's wait for its host.
    private struct Wait {
        /// When a byte last moved.
        var since: Duration
        /// Whether it waits for its own source of bytes instead.
        var isPaused = false
    }

    private struct Host {
        var waits: [Int: Wait] = [:]
        var lastHeard: Duration?
        /// When the first of the requests began that heard nothing.
        var silentSince: Duration?
        var strikes = 0
        var lastStrike: Duration?
        var closedUntil: Duration?

        mutating func hear(at now: Duration) {
            lastHeard = now
            (silentSince, strikes, lastStrike, closedUntil) = (nil, 0, nil, nil)
        }
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var exchanges = 0
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// - Parameter limit: the longest time without a moving byte.
    init(limit: Duration) { self.limit = limit }

    /// Begins a request.
    /// - Throws: `notSent` while the host counts as silent.
    func begin(_ host: String, at now: Duration) throws(TransportError) -> Exchange {
        let id = state.withLock { state -> Int? in
            if let closed = state.hosts[host]?.closedUntil, now < closed { return nil }
            state.exchanges += 1
            return state.exchanges
        }
        guard let id else { throw .notSent("\(host) does not answer") }
        return Exchange(activity: self, host: host, id: id, began: now)
    }

    /// How long requests to a host have been waiting while no byte moves on any of them, or how long a host has been silent
    /// that counts as such; `nil` for neither.
    func silence(at now: Duration) -> Duration? {
        state.withLock { state in
            let moved = state.hosts.values.compactMap { host in
                let waits = host.waits.values.lazy.filter { !$0.isPaused }.map(\.since).max()
                let isClosed = host.closedUntil.map { now < $0 } ?? false
                // Tries of one request add up to one silence.
                return waits == nil && !isClosed ? nil : host.silentSince ?? waits
            }
            return moved.min().map { now - $0 }
        }
    }

    private func change(_ host: String, _ act: (inout Host) -> Void) {
        state.withLock { act(&$0.hosts[host, default: Host()]) }
    }

    private func strike(_ host: inout Host, began: Duration, at now: Duration) {
        guard host.lastHeard.map({ $0 < began }) ?? true else { return }
        // Requests that were under way together and fail together count once.
        guard host.lastStrike.map({ began >= $0 }) ?? true else { return }
        let since = host.silentSince ?? began
        (host.silentSince, host.strikes, host.lastStrike) = (since, host.strikes + 1, now)
        guard host.strikes >= Self.strikes, now - since >= limit * 2 else { return }
        host.closedUntil = now + max(limit, Self.shortestPause)
    }

    /// One request to a host, from its beginning to the end of its answer.
    final class Exchange: Sendable {
        private let activity: HostActivity
        private let host: String
        private let id: Int
        private let began: Duration
        private let stalled = Atomic(false)

        fileprivate init(activity: HostActivity, host: String, id: Int, began: Duration) {
            (self.activity, self.host, self.id, self.began) = (activity, host, id, began)
        }

        /// Whether no byte moved for too long.
        var isStalled: Bool { stalled.load(ordering: .relaxed) }

        /// It waits for the host from now on.
        func wait(at now: Duration) { activity.change(host) { $0.waits[id] = Wait(since: now) } }

        /// It waits no longer: it is cancelled.
        func end() { activity.change(host) { $0.waits[id] = nil } }

        /// Bytes have left, and it waits for its source to give more.
        func send(at now: Duration) {
            let isProof = now - began >= HostActivity.bufferingTime
            activity.change(host) { host in
                host.waits[id]?.isPaused = true
                if isProof { host.hear(at: now) }
            }
        }

        /// Its source gave more. Without effect once the request has ended.
        func resume(at now: Duration) {
            activity.change(host) { host in
                if host.waits[id] != nil { host.waits[id] = Wait(since: now) }
            }
        }

        /// The answer's head or a part of its body has come.
        func receive(at now: Duration) {
            activity.change(host) { host in
                host.waits[id] = nil
                host.hear(at: now)
            }
        }

        /// It came to nothing.
        func fail(at now: Duration) {
            let (activity, began, id) = (activity, began, id)
            activity.change(host) { host in
                host.waits[id] = nil
                activity.strike(&host, began: began, at: now)
            }
        }

        /// How long it may still wait; `nil` once no byte moved for `limit`, and then it counts as stalled.
        func timeLeft(of limit: Duration, at now: Duration) -> Duration? {
            let wait = activity.state.withLock { $0.hosts[host]?.waits[id] }
            let left = wait.map { $0.isPaused ? limit : limit - (now - $0.since) } ?? limit
            guard left <= .zero else { return left }
            stalled.store(true, ordering: .relaxed)
            return nil
        }
    }
}
