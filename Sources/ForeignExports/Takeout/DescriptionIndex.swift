/// The descriptions of one folder, by name.
struct DescriptionIndex {
    typealias Numbered = TakeoutName.Numbered

    /// The descriptions by the name without `.json`, as a whole and without its number.
    private var exact: [Numbered: [Int]] = [:]
    /// The same in lower case.
    private var folded: [Numbered: [Int]] = [:]
    /// What precedes a dot in a name, also in lower case, to exclude most candidates at once.
    private var stems: Set<String> = []
    /// The descriptions with long names by their beginning.
    private var families: [String: [Int]] = [:]
    private var byLongName: [String: [(reading: Numbered, index: Int)]] = [:]
    private var byTitle: [String: [Int]] = [:]
    private var byLongTitle: [String: [Int]] = [:]
    private(set) var titles: [Title?] = []
    /// The names of photos that the titles of one truncated name lead to; two are enough to tell that there are several.
    private var photoNames: [String: Set<String>] = [:]
    private var byPhotoName: [String: [Int]] = [:]
    /// The name of each description, without its number.
    private var cores: [Numbered] = []

    /// The original file name of a photo, with the characters that no file name has replaced.
    struct Title {
        let stem: String
        let ending: String

        /// The name of the photo without a number: Google truncates it.
        var photoName: String { DescriptionIndex.photoName(stem, ending) }
    }

    /// Long names whose beginnings are equal may have been exchanged by the truncation.
    private static let comparedLength = 36
    /// The longest beginning of a long title that every file name of it has.
    private static let titleLength = 40
    /// More descriptions with equal beginnings than this are not compared by title.
    private static let maximumFamily = 200
    /// No file system has longer names, in bytes.
    private static let longestName = 255

    /// - Parameter descriptions: The names with `.json`, and the titles in them.
    init(_ descriptions: [(name: String, title: String?)]) {
        for (index, description) in descriptions.enumerated() {
            let core = String(ExportedName.normalized(description.name).dropLast(".json".count))
            let readings = TakeoutName.readings(of: core)
            for reading in readings {
                exact[reading, default: []].append(index)
                folded[Numbered(base: reading.base.lowercased(), number: reading.number), default: []].append(index)
                if isLong(reading.base) { addLongName(reading, index) }
                addStems(of: reading.base)
            }
            cores.append(readings[0])
            let title = addTitle(description.title, index)
            titles.append(title)
            if isLong(readings[0].base) { addPhotoName(title, readings[0].base, index) }
        }
    }

    /// The length of the shortest name, without its extension and the mark of an edited version, of which a truncated
    /// description is searched.
    private static let shortestLongName = 24

    private mutating func addLongName(_ reading: Numbered, _ index: Int) {
        let key = TakeoutName.cut(reading.base, Self.comparedLength)
        if families[key]?.last != index { families[key, default: []].append(index) }
        guard TakeoutName.units(reading.base) == TakeoutName.descriptionLimit else { return }
        byLongName[TakeoutName.cut(reading.base, Self.shortestLongName), default: []].append((reading, index))
    }

    private mutating func addStems(of base: String) {
        guard base.utf8.count <= Self.longestName else { return }
        for base in Set([base, base.lowercased()]) {
            stems.insert(base)
            for dot in base.utf8.indices where base.utf8[dot] == UInt8(ascii: ".") {
                stems.insert(String(base[..<dot]))
            }
        }
    }

    private mutating func addTitle(_ title: String?, _ index: Int) -> Title? {
        guard let title, !title.isEmpty, title.utf8.count <= 4096 else { return nil }
        let (stem, ending) = ExportedName.split(TakeoutName.sanitized(ExportedName.normalized(title)))
        byTitle[stem, default: []].append(index)
        byLongTitle[TakeoutName.cut(stem, Self.titleLength), default: []].append(index)
        return Title(stem: stem, ending: ending)
    }

    private mutating func addPhotoName(_ title: Title?, _ base: String, _ index: Int) {
        let name = title?.photoName ?? ""
        if photoNames[base, default: []].count < 2 { photoNames[base, default: []].insert(name) }
        if title != nil { byPhotoName[name, default: []].append(index) }
    }

    private static func photoName(_ stem: String, _ ending: String) -> String {
        TakeoutName.cut(stem, TakeoutName.mediaLimit - TakeoutName.units(ending)) + ending.lowercased()
    }

    /// Returns whether a description has the number of its photo. Descriptions are numbered among all titles with one
    /// truncated name, photos only among those with one longer truncated name.
    func isNumberShared(_ index: Int) -> Bool { (photoNames[cores[index].base]?.count ?? 1) < 2 }

    /// Returns descriptions whose title leads to the name of a photo.
    func find(photoNamed stem: String, _ ending: String) -> [Int] { byPhotoName[Self.photoName(stem, ending)] ?? [] }

    func number(of index: Int) -> String? { cores[index].number }

    /// Returns whether a name may be truncated. Half a character is left out.
    private func isLong(_ core: String) -> Bool { TakeoutName.units(core) >= TakeoutName.descriptionLimit - 1 }

    /// Returns whether a stem, which is not truncated, may precede an extension in the name of a description.
    func mayHave(stem: String) -> Bool {
        TakeoutName.units(stem) > TakeoutName.descriptionLimit - 6 || stems.contains(stem)
    }

    /// Returns the descriptions with a name, which may be truncated, or followed by the beginning of the supplement.
    /// - Parameter isCut: Whether names are truncated as Google does.
    func find(_ name: String, _ number: String?, isCut: Bool = true, isFolded: Bool = false) -> [Int] {
        let limit = isCut ? TakeoutName.descriptionLimit : Int.max
        let cut = TakeoutName.cut(name, limit)
        if let found = descriptions(named: cut, number, isFolded) { return found }
        if cut != name { return descriptions(named: name, number, isFolded) ?? supplemented(name, number, isFolded) }
        return descriptions(named: TakeoutName.cut(name + TakeoutName.supplement, limit), number, isFolded)
            ?? supplemented(name, number, isFolded)
    }

    private func descriptions(named name: String, _ number: String?, _ isFolded: Bool) -> [Int]? {
        isFolded
            ? folded[Numbered(base: name.lowercased(), number: number)] : exact[Numbered(base: name, number: number)]
    }

    private func supplemented(_ name: String, _ number: String?, _ isFolded: Bool) -> [Int] {
        for length in (1...TakeoutName.supplement.utf8.count).reversed() {
            if let found = descriptions(named: name + TakeoutName.supplement.prefix(length), number, isFolded) {
                return found
            }
        }
        return []
    }

    /// Returns the descriptions with a truncated name that begins with a text.
    func findTruncated(beginningWith text: String, _ number: String?) -> [Int] {
        let key = TakeoutName.cut(text, Self.shortestLongName)
        guard TakeoutName.units(key) >= Self.shortestLongName - 1 else { return [] }
        let candidates = byLongName[key] ?? []
        guard candidates.count <= Self.maximumFamily else { return [] }
        return candidates.filter { $0.reading.number == number && $0.reading.base.hasPrefix(text) }.map(\.index)
    }

    /// Returns the descriptions whose title is that of a file: equal to its stem or, if that may be truncated, beginning
    /// with it.
    func findTitled(_ stem: String, ending: String, _ number: String?) -> [Int] {
        let mayBeCut = TakeoutName.units(stem + ending) >= 50
        let candidates =
            mayBeCut
            ? byLongTitle[TakeoutName.cut(stem, Self.titleLength)] ?? [] : byTitle[stem] ?? []
        guard candidates.count <= Self.maximumFamily else { return [] }
        return candidates.filter { index in
            guard let title = titles[index], cores[index].number == number else { return false }
            return (title.stem == stem || mayBeCut && TakeoutName.cut(title.stem, TakeoutName.units(stem)) == stem)
                && TakeoutEnding.areConvertible(title.ending, ending)
        }
    }

    /// Returns the descriptions with titles whose names begin like that of one with a long name; `nil` if its name is not
    /// long enough to be truncated.
    func family(of index: Int) -> [Int]? {
        let core = cores[index].base
        guard isLong(core) else { return nil }
        let family = families[TakeoutName.cut(core, Self.comparedLength)] ?? []
        return family.count <= Self.maximumFamily ? family.filter { titles[$0] != nil } : nil
    }
}
