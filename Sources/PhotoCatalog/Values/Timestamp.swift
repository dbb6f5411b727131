import Foundation

/// A moment with nanosecond precision, as in file systems: seconds since 1970 in UTC, and nanoseconds.
///
/// `Foundation.Date` has a precision of about 100 ns for current dates, which is too coarse to detect whether a file
/// was modified again.
package struct Timestamp: Hashable, Sendable, Comparable {
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: Int32

    /// The range of seconds that RFC 3339 can represent: years 0001 to 9999.
    private static let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Creates a timestamp, clamped to the range that RFC 3339 can represent.
    package init(seconds: Int64, nanoseconds: Int64) {
        let inside = Self.writable.contains(seconds)
        self.seconds = min(max(seconds, Self.writable.lowerBound), Self.writable.upperBound)
        self.nanoseconds = inside ? Int32(min(max(nanoseconds, 0), 999_999_999)) : 0
    }

    /// Creates a timestamp with a date rounded down to a whole second.
    package init(whole date: Date) {
        // Clamped, because the conversion to an integer traps for larger numbers.
        let seconds = min(max(date.timeIntervalSince1970.rounded(.down), -1e15), 1e15)
        self.init(seconds: Int64(seconds), nanoseconds: 0)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Timestamp {
    /// Creates a moment of the proleptic Gregorian calendar; returns `nil` if it does not exist. A leap second counts
    /// as the following second.
    package init?(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, nanoseconds: Int = 0,
        offsetMinutes: Int = 0
    ) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, year: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (0...999_999_999).contains(nanoseconds), (-1439...1439).contains(offsetMinutes)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month, day: day)
        let clock = hour * 3600 + (minute - offsetMinutes) * 60 + second
        let total = Int64(days) * 86_400 + Int64(clock)
        guard Self.writable.contains(total) else { return nil }
        self.init(seconds: total, nanoseconds: Int64(nanoseconds))
    }

    static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns a day's number, by Howard Hinnant's `days_from_civil`, for years 1 to 9999.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns a day's date, by the inverse `civil_from_days`.
    fileprivate static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

/// A month of the Gregorian calendar.
package struct CalendarMonth: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
}

extension Timestamp {
    /// The month in UTC.
    package var month: CalendarMonth {
        let time = calendarTime
        return CalendarMonth(year: time.year, month: time.month)
    }
}

/// A moment of the Gregorian calendar, to a second.
package struct CalendarTime: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
}

extension Timestamp {
    /// The calendar time in UTC.
    package var calendarTime: CalendarTime {
        let (days, clock) = dayAndClock
        let date = Self.civil(daysSince1970: days)
        return CalendarTime(
            year: date.year, month: date.month, day: date.day, hour: clock / 3600, minute: clock / 60 % 60,
            second: clock % 60)
    }

    /// The days since 1970, and the seconds since midnight.
    private var dayAndClock: (days: Int, clock: Int) {
        let days = Int(seconds.quotientAndRemainder(dividingBy: 86_400).quotient) - (seconds % 86_400 < 0 ? 1 : 0)
        return (days, Int(seconds) - days * 86_400)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with `Z`; a fraction only if it is not zero, without trailing zeros.
    package var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text form.
    func write(to text: inout [UInt8]) {
        let time = calendarTime
        Self.write(time.year, digits: 4, to: &text)
        Self.write(time.month, digits: 2, after: "-", to: &text)
        Self.write(time.day, digits: 2, after: "-", to: &text)
        Self.write(time.hour, digits: 2, after: "T", to: &text)
        Self.write(time.minute, digits: 2, after: ":", to: &text)
        Self.write(time.second, digits: 2, after: ":", to: &text)
        if nanoseconds > 0 {
            Self.write(Int(nanoseconds), digits: 9, after: ".", to: &text)
            while text.last == UInt8(ascii: "0") { text.removeLast() }
        }
        text.append(UInt8(ascii: "Z"))
    }

    private static func write(_ value: Int, digits: Int, after separator: Unicode.Scalar? = nil, to text: inout [UInt8])
    {
        if let separator { text.append(UInt8(ascii: separator)) }
        var scale = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            text.append(UInt8(ascii: "0") + UInt8(value / scale % 10))
            scale /= 10
        }
    }
}
