import Synchronization

@testable import Transport

/// A clock that a test sets.
final class ManualClock: Sendable {
    private let time = Mutex(Duration.zero)
    private let sleeps = Mutex(0)

    var now: Duration { time.withLock { $0 } }

    /// The number of sleeps that have begun. A sleep that begins after the clock was advanced lasts its whole duration.
    var sleepCount: Int { sleeps.withLock { $0 } }

    func advance(by step: Duration) { time.withLock { $0 += step } }

    /// Sleeps end when a test has advanced the clock far enough.
    var clock: TransportClock {
        TransportClock(
            now: { self.time.withLock { $0 } },
            sleep: { pause in
                let end = self.time.withLock { $0 } + pause
                self.sleeps.withLock { $0 += 1 }
                while self.time.withLock({ $0 }) < end {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            })
    }

    /// Sleeps end immediately and advance the clock.
    var impatient: TransportClock {
        TransportClock(now: { self.time.withLock { $0 } }, sleep: { self.advance(by: $0) })
    }
}
