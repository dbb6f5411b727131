import Foundation
import Synchronization

/// How often waiting devices ask for their decision (RFC 8628 section 3.5): a device that asks before its interval has passed
/// gets `slow_down`, and its interval grows by 5 seconds.
///
/// Each instance counts the questions that reach it, in memory and without a request to the store. Memory has an upper
/// bound: when the younger half of the entries is full, the older half is dropped, and a dropped device begins anew.
package final class DevicePolls: Sendable {
    /// Seconds that an interval starts with.
    package static let interval: TimeInterval = 5
    /// Seconds by which an early question lengthens it.
    private static let step: TimeInterval = 5
    /// The longest interval, in seconds, so that a client that ignores the answer still gets its decision in time.
    private static let longest: TimeInterval = 60
    /// How early a question may be, in seconds: networks delay one question more than the next.
    private static let tolerance: TimeInterval = 1

    private struct Asked {
        /// When the device was last answered, refusals to answer aside.
        var at: Date
        var interval: TimeInterval
    }

    private struct Memory {
        var recent: [UUID: Asked] = [:]
        var older: [UUID: Asked] = [:]
    }

    private let most: Int
    private let now: @Sendable () -> Date
    private let memory = Mutex(Memory())

    /// - Parameter most: how many devices are remembered, at least 2.
    package init(remembering most: Int, now: @escaping @Sendable () -> Date) {
        self.most = most
        self.now = now
    }

    /// How many devices are remembered now.
    package var count: Int { memory.withLock { $0.recent.count + $0.older.count } }

    /// Counts a question of a device.
    /// - Parameter id: of a device code that is authentic, so that made-up codes fill no memory.
    /// - Throws: `slowDown`.
    func count(_ id: UUID) throws(FlowError) {
        let time = now()
        let isEarly = memory.withLock { memory in
            guard var asked = memory.recent[id] ?? memory.older[id] else {
                keep(Asked(at: time, interval: Self.interval), id, in: &memory)
                return false
            }
            // A clock that was set back.
            asked.at = min(asked.at, time)
            let isEarly = time.timeIntervalSince(asked.at) < asked.interval - Self.tolerance
            if isEarly {
                asked.interval = min(asked.interval + Self.step, Self.longest)
            } else {
                asked.at = time
            }
            keep(asked, id, in: &memory)
            return isEarly
        }
        guard !isEarly else { throw .slowDown }
    }

    private func keep(_ asked: Asked, _ id: UUID, in memory: inout Memory) {
        memory.older[id] = nil
        if memory.recent[id] == nil, memory.recent.count >= most / 2 {
            memory.older = memory.recent
            memory.recent = [:]
        }
        memory.recent[id] = asked
    }
}
