import Foundation

/// The time zone of a device, for photos that do not tell theirs.
package struct CaptureZone: Sendable {
    private let zone: TimeZone

    package var identifier: String { zone.identifier }

    package init(_ zone: TimeZone) { self.zone = zone }

    /// The zone that a device is set to. Returns `nil` for UTC by any of its names: servers and containers are set to it
    /// wherever they are, and so is a device whose setting is no zone.
    package init?(ofDevice zone: TimeZone) {
        let names = ["UTC", "UCT", "GMT", "GMT0", "Greenwich", "Universal", "Zulu"]
        let name = zone.identifier.hasPrefix("Etc/") ? String(zone.identifier.dropFirst(4)) : zone.identifier
        guard !names.contains(name) else { return nil }
        self.init(zone)
    }

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
