import Foundation
import Synchronization

/// A measurement of a backup's upload rate. Time for walking, hashing, requests and waiting does not count.
package final class RateMeter: Sendable {
    /// The longest interval between updates that counts as uploading, in seconds.
    private static let longestGap = 5.0

    private struct State {
        var last: (moment: Date, bytes: Int64)?
        var bytes: Int64 = 0
        var seconds = 0.0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// - Parameter bytes: The total number of bytes sent over the network since the start.
    package func record(_ bytes: Int64) {
        let now = now()
        state.withLock { state in
            guard let last = state.last else {
                state.last = (now, bytes)
                return
            }
            guard bytes > last.bytes else { return }
            let seconds = now.timeIntervalSince(last.moment)
            if (0...Self.longestGap).contains(seconds) {
                state.seconds += seconds
                state.bytes += bytes - last.bytes
            }
            state.last = (now, bytes)
        }
    }

    /// Returns `nil` if too few bytes were sent for a measurement.
    package func rate(to server: String) -> MeasuredRate? {
        state.withLock { state in
            guard let last = state.last else { return nil }
            return MeasuredRate(bytes: state.bytes, seconds: state.seconds, measuredAt: last.moment, server: server)
        }
    }
}
