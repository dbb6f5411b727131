import Foundation

/// A timestamp in the format used in signatures: `20150830T123600Z`, whole seconds of UTC.
package struct AWSTimestamp: Sendable, Equatable, CustomStringConvertible {
    /// The 16-character format.
    package let description: String
    package let date: Date

    package init(_ date: Date) {
        let moment = date.timeIntervalSince1970
        // Years beyond four digits cannot be represented; NaN compares as not greater than 0.
        let seconds = moment > 0 ? Int(min(moment, 253_402_300_799)) : 0
        let (day, clock) = (seconds / 86_400, seconds % 86_400)
        let civil = CivilDay(sinceEpoch: day)
        description =
            Self.digits(civil.year, 4) + Self.digits(civil.month, 2) + Self.digits(civil.day, 2) + "T"
            + Self.digits(clock / 3600, 2) + Self.digits(clock / 60 % 60, 2) + Self.digits(clock % 60, 2) + "Z"
        self.date = Date(timeIntervalSince1970: Double(seconds))
    }

    /// Parses the 16-character format; returns `nil` for anything else, including invalid calendar days.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(17))
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[4..<6]),
            let day = Self.number(bytes[6..<8]), let hour = Self.number(bytes[9..<11]),
            let minute = Self.number(bytes[11..<13]), let second = Self.number(bytes[13..<15]),
            year >= 1970, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds =
            CivilDay(year: year, month: month, day: day).sinceEpoch * 86_400 + hour * 3600 + minute * 60 + second
        self.init(Date(timeIntervalSince1970: Double(seconds)))
        guard description.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// The first 8 characters.
    package var day: String { String(description.prefix(8)) }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }
}

/// A day of the Gregorian calendar and its number since 1970-01-01, calculated with eras of 400 years.
private struct CivilDay {
    let year: Int
    let month: Int
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(sinceEpoch number: Int) {
        let shifted = number + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var sinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
