import Foundation
import Localization

extension LocalizedStrings {
    /// Returns a text with a time, as content of the template `time`. The page's script shows the time in the browser's
    /// time zone. Without scripts it is in UTC, and says so.
    /// - Parameter isDay: Whether only the day is shown.
    func timed(_ name: TextName, _ date: Date, isDay: Bool = false) -> [String: any Sendable] {
        let placeholder = "{\(TextPlaceholder.date.rawValue)}"
        let text = all[name.rawValue] ?? placeholder
        let place = all[TextName.timeUTC.rawValue].flatMap { text.range(of: $0) } ?? text.range(of: placeholder)
        return [
            "before": place.map { String(text[..<$0.lowerBound]) } ?? text,
            "after": place.map { String(text[$0.upperBound...]) } ?? "",
            "machineTime": date.formatted(.iso8601), "isDay": isDay,
            "time": self(.timeUTC, [.date: isDay ? day(date) : time(date)]),
        ]
    }
}
