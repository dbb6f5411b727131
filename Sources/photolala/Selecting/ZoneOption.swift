import ArgumentParser
import Foundation

/// A time zone as an option: `Asia/Tokyo`, or an offset such as `+09:00`.
struct ZoneOption: ExpressibleByArgument {
    /// The valid offsets of time zones, in minutes: -12:00 to +14:00.
    private static let possible = -720...840

    let zone: TimeZone

    init?(argument: String) {
        if let first = argument.first, first == "+" || first == "-" {
            let numbers = argument.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            let isDigits = numbers.allSatisfy {
                $0.count == 2 && $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
            guard isDigits, numbers.count == 2, let hours = Int(numbers[0]), let minutes = Int(numbers[1]),
                minutes <= 59
            else { return nil }
            let offset = (first == "-" ? -1 : 1) * (hours * 60 + minutes)
            guard Self.possible.contains(offset), let zone = TimeZone(secondsFromGMT: offset * 60) else {
                return nil
            }
            self.zone = zone
        } else {
            guard argument == "UTC" || argument.contains("/"), let zone = TimeZone(identifier: argument) else {
                return nil
            }
            self.zone = zone
        }
    }
}
