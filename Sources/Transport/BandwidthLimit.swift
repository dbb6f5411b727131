import Synchronization

/// A maximum rate of bytes, shared by all requests through it; separately for sent and received bytes.
package final class BandwidthLimit: Sendable {
    enum Direction {
        case sent
        case received
    }

    private struct Busy {
        var sent = Duration.zero
        var received = Duration.zero
    }

    private let bytesPerSecond: @Sendable () -> Int?
    private let clock: TransportClock
    /// The times until which the bytes so far take.
    private let busy = Mutex(Busy())

    /// - Parameter bytesPerSecond: Returns the current rate, more than 0; `nil` if there is no limit.
    package init(clock: TransportClock = .awake, bytesPerSecond: @escaping @Sendable () -> Int?) {
        (self.clock, self.bytesPerSecond) = (clock, bytesPerSecond)
    }

    /// Waits until some bytes may be moved: until the bytes before them have taken their time.
    func pace(_ count: Int, _ direction: Direction) async throws {
        guard let rate = bytesPerSecond() else { return }
        let (now, time) = (clock.now(), Duration.seconds(Double(count) / Double(rate)))
        let start = busy.withLock { busy in
            let path: WritableKeyPath<Busy, Duration> = direction == .sent ? \.sent : \.received
            let start = max(now, busy[keyPath: path])
            busy[keyPath: path] = start + time
            return start
        }
        if start > now { try await clock.sleep(start - now) }
    }
}
