import Foundation

/// The texts of pages and screens in one language.
package struct LocalizedStrings: Sendable {
    /// The BCP 47 tag.
    package let language: String
    /// The texts by name. Templates read them directly.
    package let all: [String: String]

    package init(language: String, all: [String: String]) {
        self.language = language
        self.all = all
    }

    /// Returns a text of a family, such as one for each act in the audit log. Returns `nil` if this version has none.
    package func member(_ name: String, of family: TextFamily, _ values: [TextPlaceholder: String] = [:]) -> String? {
        text("\(family.rawValue)_\(name.replacing(".", with: "_"))", values)
    }

    /// Returns all texts of a family, by member.
    package func family(_ family: TextFamily) -> [String: String] {
        let prefix = "\(family.rawValue)_"
        let members = all.filter { $0.key.hasPrefix(prefix) }
        return Dictionary(uniqueKeysWithValues: members.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    /// Returns a text with its placeholders replaced; `nil` if there is none with this name.
    package func text(_ name: String, _ values: [TextPlaceholder: String]) -> String? {
        guard var text = all[name] else { return nil }
        for (placeholder, value) in values { text = text.replacing("{\(placeholder.rawValue)}", with: value) }
        return text
    }

    /// Returns the date with hour and minute, in UTC.
    package func time(_ date: Date) -> String { date.formatted(style(time: .shortened)) }

    /// Returns the date, in UTC.
    package func day(_ date: Date) -> String { date.formatted(style(time: .omitted)) }

    /// Returns the weekday and the date without its year, in UTC.
    package func weekday(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(locale: locale, timeZone: .gmt).weekday(.abbreviated).day().month(.abbreviated))
    }

    /// Returns the date with an abbreviated month, in UTC.
    package func shortDay(_ date: Date) -> String {
        date.formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).year().month(.abbreviated).day())
    }

    /// Returns the day and the abbreviated month, in UTC.
    package func monthAndDay(_ date: Date) -> String {
        date.formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).month(.abbreviated).day())
    }

    /// Returns the year, in UTC.
    package func year(_ date: Date) -> String {
        date.formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).year())
    }

    /// Returns a size in decimal units.
    package func size(_ bytes: Int64) -> String {
        var (value, unit) = (Double(max(0, bytes)), 0)
        while value >= 1000, unit < Self.units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let digits = unit > 1 && value < 100 ? 1 : 0
        let number = value.formatted(.number.precision(.fractionLength(0...digits)).locale(locale))
        return "\(number)\u{a0}\(Self.units[unit])"
    }

    /// Returns a whole number in the language's format.
    package func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

    /// Returns a number of photos and videos, such as `12 items`.
    package func items(_ count: Int) -> String {
        text(count == 1 ? Self.itemTexts.one : Self.itemTexts.many, [.count: number(count)]) ?? number(count)
    }

    /// The names of the texts of `items`.
    package static let itemTexts = (one: "items_one", many: "items")

    /// Returns an amount of US dollars.
    package func currency(_ dollars: Double) -> String { dollars.formatted(.currency(code: "USD").locale(locale)) }

    private static let units = ["B", "kB", "MB", "GB", "TB"]

    package var locale: Locale { Locale(identifier: language) }

    private func style(time: Date.FormatStyle.TimeStyle) -> Date.FormatStyle {
        Date.FormatStyle(date: .long, time: time, locale: locale, timeZone: .gmt)
    }
}

/// The placeholders in texts.
package enum TextPlaceholder: String, CaseIterable {
    case provider, name, date, used, limit, size, tier, count, total, word, duration, price, service
}

/// Families of texts. A text's name is the family, an underscore and the member.
package enum TextFamily: String, CaseIterable {
    case act, error, fullness, kind, mail, method, speed, tier, upload
    case deletionState = "deletion_state"
    case fileFailure = "file_failure"
    case screenError = "screen_error"
}
