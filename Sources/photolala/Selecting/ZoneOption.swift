import ArgumentParser
import Foundation

/// A time zone as an option: `Asia/Tokyo`, or an offset as `+09:00`.
struct ZoneOption: ExpressibleByArgument {
    let zone: TimeZone

    init?(argument: String) {
        if let first = argument.first, first == "+" || first == "-" {
            let numbers = argument.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            let isDigits = numbers.allSatisfy {
                $0.count == 2 && $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
            guard isDigits, numbers.count == 2, let hours = Int(numbers[0]), let minutes = Int(numbers[1]), hours <= 14,
                minutes <= 59, let zone = TimeZone(secondsFromGMT: (first == "-" ? -60 : 60) * (hours * 60 + minutes))
            else { return nil }
            self.zone = zone
        } else {
            guard argument == "UTC" || argument.contains("/"), let zone = TimeZone(identifier: argument) else {
                return nil
            }
            self.zone = zone
        }
    }
}
