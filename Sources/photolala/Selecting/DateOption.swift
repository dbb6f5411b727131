import ArgumentParser
import Foundation

/// A day, month or year as an option: `2024-05-31`, `2024-05`, `2024`. Refers to the local time where photos were
/// taken, represented as UTC.
struct DateOption: ExpressibleByArgument, Equatable {
    /// The first instant of the period, and the first instant after it (`end`).
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
            // Rejects overflow: day 31 of a month of 30 days would be the first day of the next month.
            calendar.dateComponents([.year, .month, .day], from: start) == day
        else { return nil }
        self.start = start
        self.end = end
    }
}
