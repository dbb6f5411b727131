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
    package static let interval: TimeInterval = 5
    /// The seconds that an early poll adds to the interval.
    private static let step: TimeInterval = 5
    /// The longest interval, in seconds, so that a client that ignores `slow_down` still gets its decision in time.
    private static let longest: TimeInterval = 60
    /// How early a poll may arrive, in seconds: network delay varies between polls.
    private static let tolerance: TimeInterval = 1

    private struct Asked {
        /// When the device was last answered, not counting `slow_down`.
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

    /// - Parameter most: the number of devices to remember, at least 2.
    package init(remembering most: Int, now: @escaping @Sendable () -> Date) {
        self.most = most
        self.now = now
    }

    /// The number of devices remembered now.
    package var count: Int { memory.withLock { $0.recent.count + $0.older.count } }

    /// Counts a poll of a device.
    /// - Parameter id: the id of an authentic device code, so that forged codes use no memory.
    /// - Throws: `slowDown`.
    func count(_ id: UUID) throws(FlowError) {
        let time = now()
        let isEarly = memory.withLock { memory in
            guard var asked = memory.recent[id] ?? memory.older[id] else {
                keep(Asked(at: time, interval: Self.interval), id, in: &memory)
                return false
            }
            // The clock may have been set back.
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
