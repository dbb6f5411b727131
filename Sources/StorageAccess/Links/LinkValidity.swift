import Foundation

/// From when on and how long an address is good. Addresses of the same minutes are the same, so that a browser that has
/// what one gives need not ask again.
package struct LinkValidity: Sendable, Equatable {
    /// The least time that a link is good for, where its credentials are.
    package static let least: TimeInterval = 900
    private static let step: TimeInterval = 600
    /// The longest.
    package static let longest = least + step

    package let from: Date
    /// Whole.
    package let seconds: Int

    /// Until when it is good.
    package var end: Date { from.addingTimeInterval(TimeInterval(seconds)) }

    /// - Parameter end: of the credentials; no link outlives them.
    package init(at now: Date, until end: Date) {
        from = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / Self.step).rounded(.down) * Self.step)
        seconds = max(1, Int(min(Self.longest, end.timeIntervalSince(from))))
    }

    /// Of a link that is used at once.
    /// - Parameters:
    ///   - lifetime: how long it is good, in seconds.
    ///   - end: of the credentials.
    package init(at now: Date, lasting lifetime: TimeInterval, until end: Date) {
        from = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
        seconds = max(1, Int(min(lifetime, end.timeIntervalSince(from))))
    }
}
