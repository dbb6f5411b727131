import Foundation

/// The time zone of a device, for photos that do not tell theirs.
package struct CaptureZone: Sendable {
    private let zone: TimeZone

    package init(_ zone: TimeZone) { self.zone = zone }

    /// The date of a moment in this zone.
    func date(of moment: Timestamp) -> CaptureDate? { CaptureDate(moment, offset: offset(at: moment.seconds)) }

    /// The date on which clocks of this zone showed a time. A time that they showed twice is the one that the offset a
    /// moment before gives, and a time that they skipped has the offset from before the change.
    func date(ofClock clock: Timestamp) -> CaptureDate? {
        let before = offset(at: clock.seconds - 86_400)
        let guess = offset(at: clock.seconds - Int64(before) * 60)
        let isShown = offset(at: clock.seconds - Int64(guess) * 60) == guess
        return CaptureDate(clock: clock, offset: isShown ? guess : before)
    }

    /// In whole minutes: zones of the 19th century had seconds.
    private func offset(at seconds: Int64) -> Int {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return Int((Double(offset) / 60).rounded(.down))
    }
}
