import Foundation

/// RFC 3339 dates in whole seconds with `Z`.
enum JSONDate {
    private static let length = 20
    private static let daySeconds = 86_400
    /// The days from 1 March of the year 0 to 1 January 1970.
    private static let epochDay = 719_468
    /// The days in 400 years of the Gregorian calendar.
    private static let eraDays = 146_097
    /// The years 1600 to 9999. Foundation writes the others: those before 1582 in the Julian calendar.
    private static let seconds = -11_676_096_000.0..<253_402_300_800.0
    private static let firstYear = 1600

    /// Appends a date, without its fraction of a second.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        let time = date.timeIntervalSince1970
        guard seconds.contains(time) else {
            bytes.append(contentsOf: date.formatted(.iso8601).utf8)
            return
        }
        let second = Int(time.rounded(.down))
        let secondOfDay = (second % daySeconds + daySeconds) % daySeconds
        // Years are counted from March, so that a leap day is the last of its year; see "chrono-Compatible Low-Level
        // Date Algorithms" by Howard Hinnant.
        let days = (second - secondOfDay) / daySeconds + epochDay
        let era = days / eraDays
        let day = days % eraDays
        let year = (day - day / 1460 + day / 36_524 - day / (eraDays - 1)) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        append(year + era * 400 + (civilMonth <= 2 ? 1 : 0), 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(civilMonth, 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(dayOfYear - (153 * month + 2) / 5 + 1, 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(secondOfDay / 3600, 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, 2, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Returns whether a text is what `append` writes of its date, with a year from 0001 to 9999.
    static func isWritten(_ date: Date, as text: String) -> Bool {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return bytes.count == length && bytes.elementsEqual(text.utf8) && !bytes.starts(with: "0000".utf8)
    }

    private static func append(_ number: Int, _ digits: Int, to bytes: inout [UInt8]) {
        if digits == 4 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 1000))
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 100 % 10))
        }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Parses the form that `append` writes; `nil` for any other, even if it is a date.
    static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == length, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "Z"), let century = number(text, at: 0), let years = number(text, at: 2),
            let month = number(text, at: 5), let day = number(text, at: 8), let hour = number(text, at: 11),
            let minute = number(text, at: 14), let second = number(text, at: 17), (1...12).contains(month),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let civilYear = century * 100 + years
        guard civilYear >= firstYear, day >= 1, day <= daysOfMonth(month, civilYear) else { return nil }
        let year = month <= 2 ? civilYear - 1 : civilYear
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - epochDay
        return Date(timeIntervalSince1970: Double(days * daySeconds + hour * 3600 + minute * 60 + second))
    }

    private static func daysOfMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number that two digits are.
    private static func number(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        let (tens, ones) = (Int(text[position]) - 0x30, Int(text[position + 1]) - 0x30)
        guard (0...9).contains(tens), (0...9).contains(ones) else { return nil }
        return tens * 10 + ones
    }
}

extension Date {
    /// The date as it is read where it was written, for the years 1600 to 9999: without its fraction of a second.
    package var inWholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
