import NIOCore

/// How fast a request's body must come: in every interval that the server waits for it so many bytes, or its end. Time
/// in which the server itself reads no further is not the client's.
package struct BodyPace: Sendable, Equatable {
    package let bytes: Int
    package let interval: Duration

    package init(bytes: Int, interval: Duration) {
        self.bytes = bytes
        self.interval = interval
    }

    /// The whole body within the interval.
    package static func whole(within interval: Duration) -> BodyPace { BodyPace(bytes: .max, interval: interval) }
}

/// A body came more slowly than its listener allows. Whoever reads the body gets this error.
package struct SlowBody: Error {}

/// Holds one body against its pace.
struct BodyClock {
    private let bytes: Int
    private let interval: TimeAmount
    private var received = 0
    private var waited = TimeAmount.zero
    private var waitingSince: NIODeadline?

    init(_ pace: BodyPace) {
        bytes = pace.bytes
        interval = TimeAmount(pace.interval)
    }

    /// The server asks for more.
    mutating func wait(from now: NIODeadline) {
        if waitingSince == nil { waitingSince = now }
    }

    /// Something came.
    mutating func stopWaiting(at now: NIODeadline) {
        guard let since = waitingSince else { return }
        waited = waited + (now - since)
        waitingSince = nil
    }

    mutating func receive(_ count: Int) { received = received.addingReportingOverflow(count).partialValue }

    /// Looks at the body: how long from now until it is worth looking again, `nil` when it is too slow.
    mutating func check(at now: NIODeadline) -> TimeAmount? {
        let total = waitingSince.map { waited + (now - $0) } ?? waited
        guard total >= interval else { return interval - total }
        guard received >= bytes else { return nil }
        received = 0
        waited = .zero
        if waitingSince != nil { waitingSince = now }
        return interval
    }
}
