import ArgumentParser
import Foundation

/// A day, month or year as an option: `2024-05-31`, `2024-05`, `2024`, by clocks where photos were taken, as if in UTC.
struct DateOption: ExpressibleByArgument, Equatable {
    /// Its first moment, and the one behind its last.
    let start: Date
    let end: Date

    init?(argument: String) {
        let lengths = [4, 2, 2]
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        let isDigits = parts.allSatisfy { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        guard (1...3).contains(parts.count), isDigits, zip(parts, lengths).allSatisfy({ $0.count == $1 }) else {
            return nil
        }
        let numbers = parts.compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        guard let utc = TimeZone(identifier: "UTC"), let year = numbers.first, year >= 1 else { return nil }
        calendar.timeZone = utc
        var day = DateComponents(year: year, month: 1, day: 1)
        if numbers.count > 1 { day.month = numbers[1] }
        if numbers.count > 2 { day.day = numbers[2] }
        let unit: Calendar.Component = [.year, .month, .day][numbers.count - 1]
        guard let start = calendar.date(from: day), let end = calendar.date(byAdding: unit, value: 1, to: start),
            // The 31st of a month of 30 days would be the first of the next one.
            calendar.dateComponents([.year, .month, .day], from: start) == day
        else { return nil }
        self.start = start
        self.end = end
    }
}
