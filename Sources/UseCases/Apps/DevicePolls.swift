import Foundation
import Synchronization

/// Limits how often waiting devices poll for their decision (RFC 8628 section 3.5). A device that polls before its
/// interval has passed gets `slow_down`, and its interval grows by 5 seconds.
///
/// Each instance counts the polls that it receives, in memory and without store requests. Memory is bounded: when the
/// younger half of the entries is full, the older half is dropped, and a dropped device starts again with the first
/// interval.
package final class DevicePolls: Sendable {
    /// The initial interval, in seconds.
    package static let initialInterval: TimeInterval = 5
    /// The seconds that an early poll adds to the interval.
    private static let intervalStep: TimeInterval = 5
    /// The longest interval, in seconds, so that a client that ignores `slow_down` still gets its decision in time.
    private static let maximumInterval: TimeInterval = 60
    /// How early a poll may arrive, in seconds: network delay varies between polls.
    private static let tolerance: TimeInterval = 1

    private struct LastPoll {
        /// When the device was last answered, not counting `slow_down`.
        var at: Date
        var interval: TimeInterval
    }

    private struct State {
        var recent: [UUID: LastPoll] = [:]
        var previous: [UUID: LastPoll] = [:]
    }

    private let capacity: Int
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// - Parameter most: the number of devices to remember, at least 2.
    package init(remembering most: Int, now: @escaping @Sendable () -> Date) {
        self.capacity = most
        self.now = now
    }

    /// The number of devices remembered now.
    package var count: Int { state.withLock { $0.recent.count + $0.previous.count } }

    /// Counts a poll of a device.
    /// - Parameter id: the id of an authentic device code, so that forged codes use no memory.
    /// - Throws: `slowDown`.
    func recordPoll(_ id: UUID) throws(ServiceError) {
        let time = now()
        let isEarly = state.withLock { memory in
            guard var poll = memory.recent[id] ?? memory.previous[id] else {
                store(LastPoll(at: time, interval: Self.initialInterval), id, in: &memory)
                return false
            }
            // The clock may have been set back.
            poll.at = min(poll.at, time)
            let isEarly = time.timeIntervalSince(poll.at) < poll.interval - Self.tolerance
            if isEarly {
                poll.interval = min(poll.interval + Self.intervalStep, Self.maximumInterval)
            } else {
                poll.at = time
            }
            store(poll, id, in: &memory)
            return isEarly
        }
        guard !isEarly else { throw .slowDown }
    }

    private func store(_ poll: LastPoll, _ id: UUID, in memory: inout State) {
        memory.previous[id] = nil
        if memory.recent[id] == nil, memory.recent.count >= capacity / 2 {
            memory.previous = memory.recent
            memory.recent = [:]
        }
        memory.recent[id] = poll
    }
}
