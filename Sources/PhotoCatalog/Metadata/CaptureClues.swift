/// The date information of a photo, a video or a sidecar.
package struct CaptureClues: Sendable, Equatable {
    /// The recorded dates, most reliable first.
    package var dates: [Clue] = []
    /// The GPS time that the camera recorded.
    var satelliteTime: Timestamp?
    /// Maker, model and serial number, which identify photos of the same camera.
    package var camera: String?

    package init() {}

    /// A date, by the information that it lacks.
    package enum Clue: Sendable, Equatable {
        /// The local time of the camera, as if it were UTC.
        case clock(Timestamp)
        /// A moment in UTC.
        case moment(Timestamp)
        /// A local time with its offset in minutes.
        case dated(clock: Timestamp, offset: Int)
    }

    /// The offsets in use, in minutes. Other offsets are ignored.
    static let offsets = -720...840

    /// Returns the first plausible date. A local time without an offset is compared with the GPS time.
    /// - Parameter limit: The latest plausible capture date.
    package func date(until limit: Timestamp) -> FoundDate? {
        for clue in dates {
            switch clue {
            case .dated(let clock, let offset):
                if let date = CaptureDate(clock: clock, offset: offset), date.moment <= limit { return .whole(date) }
            case .moment(let moment):
                if CaptureDate(moment) != nil, moment <= limit { return .moment(moment) }
            case .clock(let clock):
                // A local time may be ahead of UTC by the largest offset.
                guard CaptureDate(clock) != nil, clock.adding(minutes: -Self.offsets.upperBound) <= limit else {
                    continue
                }
                if let offset = gpsOffset(of: clock), let date = CaptureDate(clock: clock, offset: offset) {
                    return .whole(date)
                }
                return .clock(clock)
            }
        }
        return nil
    }

    /// Returns the difference to the GPS time, rounded to a quarter of an hour; `nil` if it is not a valid offset.
    private func gpsOffset(of clock: Timestamp) -> Int? {
        guard let satelliteTime else { return nil }
        let seconds = clock.seconds - satelliteTime.seconds
        guard abs(seconds) <= 86_400 else { return nil }
        let quarters = (Double(seconds) / 900).rounded()
        let offset = Int(quarters) * 15
        return Self.offsets.contains(offset) ? offset : nil
    }
}

/// A date, by the information that is still missing.
package enum FoundDate: Sendable, Equatable {
    case whole(CaptureDate)
    case clock(Timestamp)
    case moment(Timestamp)

    /// The date with the known information: a local time or a moment has no offset.
    var captureDate: CaptureDate? {
        switch self {
        case .whole(let date): date
        case .clock(let time), .moment(let time): CaptureDate(time)
        }
    }
}

extension Timestamp {
    /// Returns the latest plausible capture date: one day from now, because camera clocks may be ahead by less than
    /// that.
    package static func latestCapture(at now: Timestamp) -> Timestamp { now.adding(minutes: 1440) }

    func adding(minutes: Int) -> Timestamp {
        Timestamp(seconds: seconds + Int64(minutes) * 60, nanoseconds: Int64(nanoseconds))
    }
}
