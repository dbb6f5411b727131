/// A search as people type it, with the words that it consists of.
struct SearchText {
    private static let dayEndings: Set<String> = ["", ".", "st", "nd", "rd", "th"]

    private let vocabulary: SearchVocabulary
    private let texts: [String]
    private(set) var words: [SearchWord]

    init(_ text: String, _ vocabulary: SearchVocabulary) {
        self.init(Self.parts(text), vocabulary, word: SearchWord.init(_:_:))
    }

    /// Reads the arguments of a command. Each is a pattern, or has one or several words.
    init(arguments: [String], _ vocabulary: SearchVocabulary) {
        let parts = arguments.flatMap { argument in
            let parts = Self.parts(argument)
            // Without any word, everything would be found.
            return parts.isEmpty || !NamePattern(argument).isPart ? [argument] : parts
        }
        self.init(parts, vocabulary, word: SearchWord.init(argument:_:))
    }

    private static func parts(_ text: String) -> [String] {
        text.split { $0.isWhitespace || $0 == "," || $0 == "、" }.map(String.init)
    }

    private init(
        _ parts: [String], _ vocabulary: SearchVocabulary, word: (String, SearchVocabulary) -> SearchWord
    ) {
        self.vocabulary = vocabulary
        texts = Self.joined(parts).map { Self.withoutWeekday($0, vocabulary) }
        words = texts.map { word($0, vocabulary) }
        readAbbreviatedMonth()
        readDays()
        dropFillers()
    }

    private var hasMonth: Bool { words.contains { if case .month = $0.date { true } else { false } } }

    private var hasDay: Bool {
        words.contains {
            switch $0.date {
            case .dayOfMonth: true
            case .day: hasMonth
            case .month, .period, nil: false
            }
        }
    }

    /// Joins the parts of a Korean date: `2019. 5. 17.`
    private static func joined(_ texts: [String]) -> [String] {
        func isNumber(_ text: String, _ lengths: ClosedRange<Int>) -> Bool {
            text.last == "." && lengths.contains(text.count - 1)
                && text.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
        }
        var (all, open): ([String], Int) = ([], 0)
        for text in texts {
            if open > 0, isNumber(text, 1...2) {
                all[all.count - 1] += text
                open -= 1
            } else {
                all.append(text)
                open = isNumber(text, 4...4) ? 2 : 0
            }
        }
        return all
    }

    /// Returns a date without its weekday: `5月17日` for `5月17日(金)`.
    private static func withoutWeekday(_ text: String, _ vocabulary: SearchVocabulary) -> String {
        guard text.last == ")", let start = text.lastIndex(of: "("),
            vocabulary.weekdays.contains(key(text[start...])), SearchDate(text[..<start]) != nil
        else { return text }
        return String(text[..<start])
    }

    /// Returns the name for the vocabulary: in lower case, without the period of an abbreviation and parentheses.
    private static func key(_ text: some StringProtocol) -> String {
        var name = text.lowercased()[...]
        if name.first == "(", name.last == ")" { name = name.dropFirst().dropLast() }
        if name.last == "." { name = name.dropLast() }
        return String(name)
    }

    private static func day(_ text: String) -> SearchDate? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard dayEndings.contains(text.dropFirst(digits.count).lowercased()) else { return nil }
        return Int(digits).flatMap { SearchDate(day: $0) }
    }

    /// Beside a number or a year, and without the name of a month, an abbreviation is a month: `17 Apr`. The last one is,
    /// as some are also those of a weekday: `mar, 5 mar`.
    private mutating func readAbbreviatedMonth() {
        let hasNumber = texts.indices.contains { index in
            if case .period = words[index].date { true } else { Self.day(texts[index]) != nil }
        }
        guard hasNumber, !hasMonth else { return }
        for index in texts.indices.reversed() where words[index].date == nil {
            guard let month = vocabulary.abbreviatedMonths[Self.key(texts[index])] else { continue }
            words[index].date = SearchDate(month: month)
            return
        }
    }

    /// Beside a month, a number is a day: `17 May 2019`.
    private mutating func readDays() {
        guard hasMonth else { return }
        for index in texts.indices where words[index].date == nil { words[index].date = Self.day(texts[index]) }
    }

    /// Drops the connectives beside a month, and beside a day of a month the name of its weekday.
    private mutating func dropFillers() {
        var fillers: Set<String> = hasMonth ? vocabulary.connectives : []
        if hasDay { fillers.formUnion(vocabulary.weekdays) }
        guard !fillers.isEmpty else { return }
        words = zip(texts, words).filter { $1.date != nil || !fillers.contains(Self.key($0)) }.map(\.1)
    }
}
