import Foundation

/// The days of some photos, as people read them.
package enum DayRange {
    /// Returns the day of the first and, if it is another one, that of the last photo.
    /// - Parameters:
    ///   - first: The local time of the first photo, represented as UTC.
    ///   - last: The local time of the last photo, represented as UTC.
    package static func text(from first: Date, to last: Date, locale: Locale) -> String {
        let style = Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: .gmt)
        let (start, end) = (first.formatted(style), last.formatted(style))
        return start == end ? start : "\(start) – \(end)"
    }
}
