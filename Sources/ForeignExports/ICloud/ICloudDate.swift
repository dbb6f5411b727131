import PhotoCatalog

/// The dates in Apple's tables, such as `Saturday July 8,2017 5:24 PM GMT`. They are English in every language of the
/// account.
enum ICloudDate {
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// Returns the moment; `nil` for anything else. The hour may be one of 24 although a half of the day follows.
    static func moment(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 100 else { return nil }
        var words = text.split { $0.isWhitespace || $0 == "," }[...]
        if let first = words.first, !months.contains(first.lowercased()) { words.removeFirst() }
        guard let month = words.popFirst().flatMap({ months.firstIndex(of: $0.lowercased()) }),
            let day = words.popFirst().flatMap({ number($0, digits: 1...2) }),
            let year = words.popFirst().flatMap({ number($0, digits: 4...4) }), let time = words.popFirst(),
            let zone = words.popLast(), ["GMT", "UTC"].contains(zone.uppercased())
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 1...2) }
        guard (2...3).contains(clock.count), let written = clock[0], let minute = clock[1],
            let second = clock.count == 3 ? clock[2] : 0
        else { return nil }
        var hour = written
        switch words.popFirst()?.uppercased() {
        case "AM"?: if hour == 12 { hour = 0 }
        case "PM"?: if hour < 12 { hour += 12 }
        case nil: break
        default: return nil
        }
        guard words.isEmpty,
            let moment = Timestamp(
                year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        return CaptureDate(moment)?.moment
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        digits.contains(text.utf8.count) && text.utf8.allSatisfy(ExportedName.isDigit) ? Int(text) : nil
    }
}
