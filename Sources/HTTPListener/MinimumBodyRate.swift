import NIOCore

/// The minimum rate of a request body: this many bytes, or its end, in every interval in which the server waits for
/// it. Time in which the server does not read is not counted.
package struct MinimumBodyRate: Sendable, Equatable {
    package let bytes: Int
    package let interval: Duration

    package init(bytes: Int, interval: Duration) {
        self.bytes = bytes
        self.interval = interval
    }

    /// Requires the whole body within the interval.
    package static func entireBody(within interval: Duration) -> MinimumBodyRate {
        MinimumBodyRate(bytes: .max, interval: interval)
    }
}

/// The body arrived more slowly than the listener allows. Thrown to the reader of the body.
package struct BodyTooSlow: Error {}

/// Checks one body against its minimum rate.
struct BodyRateMonitor {
    private let bytes: Int
    private let interval: TimeAmount
    private var received = 0
    private var waited = TimeAmount.zero
    private var waitStart: NIODeadline?

    init(_ rate: MinimumBodyRate) {
        bytes = rate.bytes
        interval = TimeAmount(rate.interval)
    }

    /// Records that the server requests more.
    mutating func startWaiting(from now: NIODeadline) {
        if waitStart == nil { waitStart = now }
    }

    /// Records that data was received.
    mutating func stopWaiting(at now: NIODeadline) {
        guard let since = waitStart else { return }
        waited = waited + (now - since)
        waitStart = nil
    }

    mutating func recordReceived(_ count: Int) { received = received.addingReportingOverflow(count).partialValue }

    /// Checks the rate.
    /// - Returns: The time until the next check; `nil` if the body is too slow.
    mutating func check(at now: NIODeadline) -> TimeAmount? {
        let total = waitStart.map { waited + (now - $0) } ?? waited
        guard total >= interval else { return interval - total }
        guard received >= bytes else { return nil }
        received = 0
        waited = .zero
        if waitStart != nil { waitStart = now }
        return interval
    }
}
