import Foundation
import Synchronization

/// A manual clock. It starts at a whole second.
package final class TestClock: Sendable {
    private let time: Mutex<Date>

    package init(_ start: Date = Date(timeIntervalSince1970: 1_790_000_000)) { time = Mutex(start) }

    /// The current time.
    package var now: Date { time.withLock { $0 } }

    /// Advances the time.
    package func advance(by seconds: TimeInterval) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
