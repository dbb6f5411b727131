import Foundation

/// Formats dates in the machine's time zone.
enum DateText {
    static func day(_ date: Date) -> String { format(date, "yyyy-MM-dd") }

    static func minute(_ date: Date) -> String { format(date, "yyyy-MM-dd HH:mm") }

    /// Formats a date and time with the offset from UTC.
    static func zonedMinute(_ date: Date) -> String { format(date, "yyyy-MM-dd HH:mm xxx") }

    private static func format(_ date: Date, _ pattern: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = pattern
        return formatter.string(from: date)
    }
}
