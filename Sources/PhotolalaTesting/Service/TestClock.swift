import Foundation
import Synchronization

/// A clock that moves only when it is told to. It starts on a whole second.
package final class TestClock: Sendable {
    private let time: Mutex<Date>

    package init(_ start: Date = Date(timeIntervalSince1970: 1_790_000_000)) { time = Mutex(start) }

    /// The time now.
    package var now: Date { time.withLock { $0 } }

    /// Moves the time on.
    package func advance(by seconds: TimeInterval) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
