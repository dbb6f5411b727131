/// What a photo or video, or a sidecar of it, says about when it was taken.
package struct CaptureClues: Sendable, Equatable {
    /// The dates that it states, the most reliable first.
    var dates: [Clue] = []
    /// The moment that satellites told the camera.
    var satelliteTime: Timestamp?
    /// Maker, model and serial number, by which photos of one camera are told.
    var camera: String?

    /// One date, by what it leaves open.
    enum Clue: Sendable, Equatable {
        /// What the camera's clock showed, as if it were UTC.
        case clock(Timestamp)
        /// A moment in UTC.
        case moment(Timestamp)
        /// What the clock showed, and its offset in minutes.
        case dated(clock: Timestamp, offset: Int)
    }

    /// The offsets that are in use on earth, in minutes. Others are read as none.
    static let offsets = -720...840

    /// The first date that is possible. A clock without an offset is compared with satellite time.
    /// - Parameter limit: no photo was taken later.
    func date(until limit: Timestamp) -> FoundDate? {
        for clue in dates {
            switch clue {
            case .dated(let clock, let offset):
                if let date = CaptureDate(clock: clock, offset: offset), date.moment <= limit { return .whole(date) }
            case .moment(let moment):
                if CaptureDate(moment) != nil, moment <= limit { return .moment(moment) }
            case .clock(let clock):
                // The clock may be ahead of UTC by the largest offset.
                guard CaptureDate(clock) != nil, clock.adding(minutes: -Self.offsets.upperBound) <= limit else {
                    continue
                }
                if let offset = satelliteOffset(of: clock), let date = CaptureDate(clock: clock, offset: offset) {
                    return .whole(date)
                }
                return .clock(clock)
            }
        }
        return nil
    }

    /// The difference to satellite time, to the nearest quarter of an hour; `nil` where no offset is that large.
    private func satelliteOffset(of clock: Timestamp) -> Int? {
        guard let satelliteTime else { return nil }
        let seconds = clock.seconds - satelliteTime.seconds
        guard abs(seconds) <= 86_400 else { return nil }
        let quarters = (Double(seconds) / 900).rounded()
        let offset = Int(quarters) * 15
        return Self.offsets.contains(offset) ? offset : nil
    }
}

/// A date, by what is still to be found out about it.
enum FoundDate: Sendable, Equatable {
    case whole(CaptureDate)
    case clock(Timestamp)
    case moment(Timestamp)

    /// The date with what is known: a clock or a moment without an offset.
    var known: CaptureDate? {
        switch self {
        case .whole(let date): date
        case .clock(let time), .moment(let time): CaptureDate(time)
        }
    }
}

extension Timestamp {
    /// No photo was taken later than a day from now: clocks are ahead by less.
    package static func latestCapture(at now: Timestamp) -> Timestamp { now.adding(minutes: 1440) }

    func adding(minutes: Int) -> Timestamp {
        Timestamp(seconds: seconds + Int64(minutes) * 60, nanoseconds: Int64(nanoseconds))
    }
}
