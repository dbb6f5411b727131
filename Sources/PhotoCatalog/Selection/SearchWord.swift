import PlaceNames

/// A word of a search. It finds photos that have it in their path or in the name of their camera, are of its date or kind, or
/// were taken at its place.
package struct SearchWord: Sendable, Equatable {
    let pattern: NamePattern
    var date: SearchDate?
    package private(set) var kind: MediaKind?
    private let text: String

    /// The word as the name of a place; `nil` for a date, a kind of file and a pattern.
    var place: String? { date == nil && kind == nil && pattern.isPart ? text : nil }

    /// Returns whether the word is a part of a camera's name.
    func isPart(of camera: CameraName) -> Bool {
        var name = camera.description
        return pattern.isPart && name.withUTF8 { pattern.matches(FoldedName($0)) }
    }

    /// Creates a word that finds paths, cameras and places.
    package init(path: String) { (pattern, text) = (NamePattern(path), path) }

    init(_ text: String, _ vocabulary: SearchVocabulary) {
        let name = text.lowercased()
        self.text = text
        pattern = NamePattern(part: text)
        date = SearchDate(text) ?? vocabulary.months[name].flatMap { SearchDate(month: $0) }
        // Most files are photos, and many names contain the word.
        kind = vocabulary.kinds[name] ?? MediaKind(name).flatMap { $0 == .photo || $0 == .sidecar ? nil : $0 }
    }

    /// Creates a word of a command line, which is a pattern for the whole path if it has a `*` or `?`.
    init(argument text: String, _ vocabulary: SearchVocabulary) {
        self.init(text, vocabulary)
        let path = SearchWord(path: text)
        if !path.pattern.isPart { self = path }
    }

    /// Returns the words of a search whose words are arguments of a command, separated or not: `17 May` as two or as one.
    package static func words(ofArguments texts: [String], _ vocabulary: SearchVocabulary = .english) -> [SearchWord] {
        SearchText(arguments: texts, vocabulary).words
    }

    /// Returns the words of a search as people type it: `Wed, 17 May 2019` has those of a day.
    package static func words(of text: String, _ vocabulary: SearchVocabulary) -> [SearchWord] {
        SearchText(text, vocabulary).words
    }
}

/// A word prepared for the records of one catalog.
struct SearchWordPredicate {
    private let word: SearchWord
    /// For each of the catalog's types, whether it is of the word's kind; empty without a kind.
    private let types: [Bool]
    /// The cameras whose names have the word.
    private let cameras: CameraMatches
    /// The cities that the word names; `nil` if there are none.
    private let cities: PlaceSet?

    /// - Parameter places: The cities of the catalog's photos.
    init(_ word: SearchWord, types: [MediaType], cameras: [CameraName], places: PlaceTable) {
        self.word = word
        self.types = word.kind.map { kind in types.map(kind.includes) } ?? []
        self.cameras = CameraMatches(word, cameras)
        let cities = word.place.map { places.cities(named: $0) }
        self.cities = cities?.isEmpty == false ? cities : nil
    }

    /// - Parameter place: The record's place, which is looked up at most once for all words.
    func matches(_ record: CatalogRecord, path: FoldedName, place: inout RecordPlace) -> Bool {
        if !types.isEmpty && types[Int(record.type)] || word.date?.contains(record.date) == true { return true }
        // The path takes longest.
        if let camera = record.camera, cameras.contains(camera) { return true }
        if word.pattern.matches(path) { return true }
        guard let cities, let city = place.city(of: record) else { return false }
        return cities.contains(city)
    }
}

/// The city of one record.
struct RecordPlace {
    let table: PlaceTable
    private var known: Int??

    init(_ table: PlaceTable) { self.table = table }

    mutating func city(of record: CatalogRecord) -> Int? {
        if let known { return known }
        let city = record.location.flatMap { table.nearest(latitude: $0.latitude, longitude: $0.longitude) }
        known = .some(city)
        return city
    }
}
