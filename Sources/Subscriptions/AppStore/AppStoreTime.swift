import Foundation

/// A time as the App Store represents it: milliseconds since 1970. Whole seconds could not order signatures reliably.
package struct AppStoreTime: Codable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The accepted range: from 2008, when the App Store opened, to 2100. No transaction date lies outside it, and
    /// libraries that convert a date to a certificate's form crash on years after 9999.
    package static let sane: ClosedRange<Double> = 1_199_145_600_000...4_102_444_800_000

    package let milliseconds: Int64

    /// Returns `nil` outside `sane`. Drops fractions, which Xcode writes.
    package init?(milliseconds: Double) {
        guard Self.sane.contains(milliseconds) else { return nil }
        self.milliseconds = Int64(milliseconds)
    }

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The time in whole seconds, as documents store dates.
    package var wholeSeconds: Date { Date(timeIntervalSince1970: (Double(milliseconds) / 1000).rounded(.down)) }

    package var description: String { date.ISO8601Format() }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
