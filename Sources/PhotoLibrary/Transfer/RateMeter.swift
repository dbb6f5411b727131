import Foundation
import Synchronization

/// Measures how fast a backup sends while it does. Walking, hashing, asking and sleeping do not count.
package final class RateMeter: Sendable {
    /// Who sends is heard of more often, in seconds.
    private static let longestGap = 5.0

    private struct State {
        var last: (moment: Date, bytes: Int64)?
        var bytes: Int64 = 0
        var seconds = 0.0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// - Parameter bytes: that have gone over the network since the beginning.
    package func note(_ bytes: Int64) {
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

    /// `nil` where too little was sent to tell.
    package func rate(to server: String) -> MeasuredRate? {
        state.withLock { state in
            guard let last = state.last else { return nil }
            return MeasuredRate(bytes: state.bytes, seconds: state.seconds, measuredAt: last.moment, server: server)
        }
    }
}
