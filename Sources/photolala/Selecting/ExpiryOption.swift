import ArgumentParser
import Foundation

/// When something ends, as an option: `30d`, `2026-12-31` or `never`.
enum ExpiryOption: ExpressibleByArgument, Equatable {
    case days(Int)
    /// The end of this day in the machine's time zone.
    case endOfDay(year: Int, month: Int, day: Int)
    case never

    private static let longest = 3650

    var defaultValueDescription: String {
        switch self {
        case .days(let days): "\(days)d"
        case .endOfDay(let year, let month, let day): "\(year)-\(month)-\(day)"
        case .never: "never"
        }
    }

    init?(argument: String) {
        if argument == "never" {
            self = .never
        } else if argument.hasSuffix("d") {
            let digits = argument.dropLast()
            guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let days = Int(digits), (1...Self.longest).contains(days)
            else { return nil }
            self = .days(days)
        } else {
            let parts = argument.split(separator: "-").compactMap { Int($0) }
            // The server reads years of four digits, and the day ends in the next one.
            guard parts.count == 3, parts[0] < 9999, DateOption(argument: argument) != nil else { return nil }
            self = .endOfDay(year: parts[0], month: parts[1], day: parts[2])
        }
    }

    /// Returns the time; `nil` for `never`.
    func end(from now: Date, in zone: TimeZone) -> Date? {
        switch self {
        case .never: return nil
        case .days(let days): return now.addingTimeInterval(Double(days) * 86_400)
        case .endOfDay(let year, let month, let day):
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            return calendar.date(from: DateComponents(year: year, month: month, day: day)).flatMap {
                calendar.date(byAdding: .day, value: 1, to: $0)
            }
        }
    }
}
