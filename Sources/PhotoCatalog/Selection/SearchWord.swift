/// A word of a search. It finds photos that have it in their path, or are of its date or kind.
package struct SearchWord: Sendable, Equatable {
    let pattern: NamePattern
    private(set) var date: SearchDate?
    private(set) var kind: MediaKind?

    private static let dayEndings: Set<String> = ["", ".", "st", "nd", "rd", "th"]

    /// Creates a word that finds only paths.
    package init(path: String) { pattern = NamePattern(path) }

    private init(_ text: String, _ vocabulary: SearchVocabulary) {
        let name = text.lowercased()
        pattern = NamePattern(part: text)
        date = SearchDate(text) ?? vocabulary.months[name].flatMap { SearchDate(month: $0) }
        // Most files are photos, and many names contain the word.
        kind = vocabulary.kinds[name] ?? MediaKind(name).flatMap { $0 == .photo || $0 == .sidecar ? nil : $0 }
    }

    /// Returns the words of a search as people type it. Beside a month, a number is a day: `17 May 2019`.
    package static func words(of text: String, _ vocabulary: SearchVocabulary) -> [SearchWord] {
        let texts = text.split { $0.isWhitespace || $0 == "," || $0 == "、" }.map(String.init)
        var words = texts.map { SearchWord($0, vocabulary) }
        let hasMonth = words.contains { if case .month = $0.date { true } else { false } }
        guard hasMonth else { return words }
        for (index, text) in texts.enumerated() where words[index].date == nil {
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard dayEndings.contains(text.dropFirst(digits.count).lowercased()) else { continue }
            words[index].date = Int(digits).flatMap { SearchDate(day: $0) }
        }
        return zip(texts, words).filter { !vocabulary.connectives.contains($0.0.lowercased()) }.map(\.1)
    }
}

/// A word prepared for the records of one catalog.
struct SearchWordPredicate {
    private let word: SearchWord
    /// For each of the catalog's types, whether it is of the word's kind; empty without a kind.
    private let types: [Bool]

    init(_ word: SearchWord, types: [MediaType]) {
        self.word = word
        self.types = word.kind.map { kind in types.map(kind.includes) } ?? []
    }

    func matches(_ record: CatalogRecord, path: FoldedName) -> Bool {
        !types.isEmpty && types[Int(record.type)] || word.date?.contains(record.date) == true
            || word.pattern.matches(path)
    }
}
