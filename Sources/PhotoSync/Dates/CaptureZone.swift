import Foundation
import PhotoCatalog

/// The time zone of a device, for photos that do not record theirs.
package struct CaptureZone: Sendable {
    private let zone: TimeZone

    package var identifier: String { zone.identifier }

    package init(_ zone: TimeZone) { self.zone = zone }

    /// Creates the zone that a device is set to. Returns `nil` for UTC under any of its names: servers and containers
    /// are set to UTC wherever they are, and so is a device whose setting is not a valid zone.
    package init?(ofDevice zone: TimeZone) {
        let names = ["UTC", "UCT", "GMT", "GMT0", "Greenwich", "Universal", "Zulu"]
        let name = zone.identifier.hasPrefix("Etc/") ? String(zone.identifier.dropFirst(4)) : zone.identifier
        guard !names.contains(name) else { return nil }
        self.init(zone)
    }

    /// Returns the date of a moment in this zone.
    func date(of moment: Timestamp) -> CaptureDate? { CaptureDate(moment, offset: offset(at: moment.seconds)) }

    /// Returns the date at which clocks in this zone showed a local time. An ambiguous time gets the offset from before
    /// the change, and so does a time that was skipped.
    func date(ofClock clock: Timestamp) -> CaptureDate? {
        let before = offset(at: clock.seconds - 86_400)
        let guess = offset(at: clock.seconds - Int64(before) * 60)
        let isShown = offset(at: clock.seconds - Int64(guess) * 60) == guess
        return CaptureDate(clock: clock, offset: isShown ? guess : before)
    }

    /// Returns the offset in whole minutes: 19th-century zones had seconds.
    private func offset(at seconds: Int64) -> Int {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return Int((Double(offset) / 60).rounded(.down))
    }
}
