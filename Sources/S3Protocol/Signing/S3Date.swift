import Foundation

/// The date formats that S3 uses besides `AWSTimestamp`: HTTP dates in headers, ISO 8601 in XML. Whole seconds of
/// UTC.
package enum S3Date {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Formats an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    package static func http(_ date: Date) -> String {
        let timestamp = AWSTimestamp(date)
        let part = parts(timestamp)
        let weekday = days[Int(timestamp.date.timeIntervalSince1970) / 86_400 % 7]
        let month = Int(part.month).flatMap { months.indices.contains($0 - 1) ? months[$0 - 1] : nil } ?? "Jan"
        return "\(weekday), \(part.day) \(month) \(part.year) \(part.time) GMT"
    }

    /// Formats a date for XML: `1994-11-06T08:49:37.000Z`.
    package static func xml(_ date: Date) -> String {
        let part = parts(AWSTimestamp(date))
        return "\(part.year)-\(part.month)-\(part.day)T\(part.time).000Z"
    }

    /// Parses the fixed format of HTTP dates; returns `nil` for the obsolete formats and anything else.
    package static func http(_ text: String) -> Date? {
        let fields = text.split(separator: " ")
        guard fields.count == 6, fields[5] == "GMT", let month = months.firstIndex(of: String(fields[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return AWSTimestamp("\(fields[3])\(number)\(fields[1])T\(fields[4].filter { $0 != ":" })Z")?.date
    }

    /// Parses the format used in XML; the fraction is optional.
    package static func xml(_ text: String) -> Date? {
        let seconds = text.prefix { $0 != "." && $0 != "Z" }
        return AWSTimestamp("\(seconds.filter { $0 != "-" && $0 != ":" })Z")?.date
    }

    private static func parts(_ timestamp: AWSTimestamp) -> (year: String, month: String, day: String, time: String) {
        let digits = Array(timestamp.description)
        func text(_ range: Range<Int>) -> String { String(digits[range]) }
        return (text(0..<4), text(4..<6), text(6..<8), "\(text(9..<11)):\(text(11..<13)):\(text(13..<15))")
    }
}
