import Synchronization

/// Decides which traces are recorded.
package final class TraceSampler: Sendable {
    /// The most traces per second that are recorded because a caller asked for it. A stranger can set the flag.
    static let callersPerSecond = 10

    /// A trace whose random part is below is recorded.
    private let threshold: UInt64
    private let isAlways: Bool
    /// The second that is counted, and the callers' traces that were recorded in it.
    private let callers = Mutex<(second: UInt64, count: Int)>((0, 0))

    /// - Parameter percent: the percentage of recorded traces, from 0 to 100.
    package init(percent: Int) {
        threshold = UInt64.max / 100 * UInt64(min(max(percent, 0), 100))
        isAlways = percent >= 100
    }

    /// Returns whether a trace that starts here is recorded.
    /// - Parameter random: random bits.
    func samples(_ random: UInt64) -> Bool { isAlways || random < threshold }

    /// Returns whether the trace of a caller is recorded: only if the caller records it, and up to `callersPerSecond`.
    /// - Parameter time: in nanoseconds.
    func samples(_ caller: TraceContext, at time: UInt64) -> Bool {
        guard caller.isSampled else { return false }
        let second = time / 1_000_000_000
        return callers.withLock { callers in
            if callers.second != second { callers = (second, 0) }
            guard callers.count < Self.callersPerSecond else { return false }
            callers.count += 1
            return true
        }
    }
}
