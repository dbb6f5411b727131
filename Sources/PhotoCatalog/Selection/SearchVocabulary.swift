/// The names that a search understands, in lower case.
package struct SearchVocabulary: Sendable {
    /// The numbers of the months, from 1.
    let months: [String: Int]
    /// The numbers of the months by their abbreviations, without periods. They count only beside the number of a day or
    /// a year: `jan` is also a person's name.
    let abbreviatedMonths: [String: Int]
    /// The names of the weekdays and their abbreviations, without periods. They mean nothing beside a day of a month.
    let weekdays: Set<String>
    /// Kinds of files. `video`, `raw`, file extensions and media types are known without them.
    let kinds: [String: MediaKind]
    /// Words between the parts of a date, such as `of`.
    let connectives: Set<String>

    package init(
        months: [String: Int], abbreviatedMonths: [String: Int] = [:], weekdays: Set<String> = [],
        kinds: [String: MediaKind], connectives: Set<String>
    ) {
        (self.months, self.abbreviatedMonths, self.weekdays) = (months, abbreviatedMonths, weekdays)
        (self.kinds, self.connectives) = (kinds, connectives)
    }
}

extension SearchVocabulary {
    /// The names of the command line.
    package static let english: SearchVocabulary = {
        func numbered(_ names: String) -> [String: Int] {
            Dictionary(uniqueKeysWithValues: names.split(separator: " ").enumerated().map { (String($1), $0 + 1) })
        }
        let weekdays = "sunday monday tuesday wednesday thursday friday saturday sun mon tue wed thu fri sat"
        return SearchVocabulary(
            months: numbered(
                "january february march april may june july august september october november december"),
            abbreviatedMonths: numbered("jan feb mar apr may jun jul aug sep oct nov dec"),
            weekdays: Set(weekdays.split(separator: " ").map(String.init)), kinds: ["videos": .video],
            connectives: ["of"])
    }()
}
