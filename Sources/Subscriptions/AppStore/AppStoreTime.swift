import Foundation

/// A moment as the App Store names it: milliseconds since 1970. Whole seconds would not tell which of two signatures is
/// the newer one.
package struct AppStoreTime: Codable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// From 2008, when the App Store opened, to 2100: no date of a transaction lies elsewhere, and libraries that turn a
    /// date into a certificate's form end the process on years beyond 9999.
    package static let sane: ClosedRange<Double> = 1_199_145_600_000...4_102_444_800_000

    package let milliseconds: Int64

    /// Gives `nil` outside `sane`. Fractions, which Xcode writes, are dropped.
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

    /// In whole seconds, as documents keep dates.
    package var wholeSeconds: Date { Date(timeIntervalSince1970: (Double(milliseconds) / 1000).rounded(.down)) }

    package var description: String { date.ISO8601Format() }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
