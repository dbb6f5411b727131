/// Finds the description of each photo and video in one folder of a Takeout.
///
/// Google names both after the photo's title, truncates the names at different lengths and numbers repeated names
/// separately, so that no single rule holds. The rules are applied one after the other to all files, most reliable
/// first. A name that may be truncated is compared with the titles in the descriptions.
package struct TakeoutMatcher {
    /// How a file and a description belong together.
    package enum Kind: Sendable {
        /// The description is that of this file.
        case original
        /// The file is an edited version of the described one.
        case edited
        /// The file is the video of the described Live Photo or motion photo.
        case companion
    }

    /// The descriptions found for a file: one, or several if names and titles do not decide.
    package struct Match: Sendable, Equatable {
        package let descriptions: [Int]
        package let kind: Kind
    }

    private let index: DescriptionIndex

    /// - Parameter descriptions: The names of the descriptions, and the titles in them.
    package init(_ descriptions: [(name: String, title: String?)]) { index = DescriptionIndex(descriptions) }

    /// Returns a match for each of the names; `nil` for those without a description.
    package func matches(of media: [String]) -> [Match?] {
        let names = media.map { Name($0) }
        var found: [Match?] = Array(repeating: nil, count: media.count)
        for rule in Rule.allCases {
            for (position, name) in names.enumerated() where found[position] == nil {
                let candidates = verified(find(name, by: rule), for: name)
                if !candidates.isEmpty { found[position] = Match(descriptions: candidates, kind: rule.kind) }
            }
        }
        return found
    }

    /// The name of a photo or video.
    struct Name {
        let stem: String
        let ending: String
        /// How the stem can be read.
        let readings: [TakeoutName.Numbered]

        init(_ name: String) {
            (stem, ending) = ExportedName.split(ExportedName.normalized(name))
            readings = TakeoutName.readings(of: stem)
        }
    }

    private enum Rule: CaseIterable {
        case name, foldedName, titleWithoutEnding, edited, companion, foldedCompanion, title, truncatedEdited
        case truncatedMark

        var kind: Kind {
            switch self {
            case .name, .foldedName, .titleWithoutEnding, .title: .original
            case .edited, .truncatedEdited, .truncatedMark: .edited
            case .companion, .foldedCompanion: .companion
            }
        }
    }

    private func find(_ name: Name, by rule: Rule) -> [Int] {
        switch rule {
        case .name: named(name, isFolded: false)
        case .foldedName: named(name, isFolded: true)
        case .titleWithoutEnding:
            first(name.readings) {
                index.find($0.base, $0.number, isCut: isCut($0.base + name.ending))
            }
        case .edited: edited(name)
        case .companion: companion(name, isFolded: false)
        case .foldedCompanion: companion(name, isFolded: true)
        case .title: titled(name)
        case .truncatedEdited: truncatedEdited(name)
        case .truncatedMark: truncatedMark(name)
        }
    }

    /// Returns whether a name can be truncated: Google makes longer ones only by adding a number.
    private func isCut(_ name: String) -> Bool { TakeoutName.units(name) <= TakeoutName.longestUnnumbered }

    private func first<Element>(_ elements: [Element], _ find: (Element) -> [Int]) -> [Int] {
        for element in elements {
            let found = find(element)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The number of a repeated name may also be part of the title: then each description is possible.
    private func named(_ name: Name, isFolded: Bool) -> [Int] {
        var all: [Int] = []
        for reading in name.readings {
            let whole = reading.base + name.ending
            let found = index.find(whole, reading.number, isCut: isCut(whole), isFolded: isFolded)
            all += found.filter { !all.contains($0) }
        }
        return all
    }

    /// The original may have another format than its edited version, and another number.
    private func edited(_ name: Name) -> [Int] {
        let endings =
            [name.ending]
            + (TakeoutEnding.photos + TakeoutEnding.videos).flatMap { [".\($0)", ".\($0.uppercased())"] } + [""]
        for reading in name.readings {
            for base in originals(of: reading.base) where index.mayHave(stem: base) {
                for number in reading.number == nil ? [nil] : [reading.number, nil] {
                    let found = first(endings) { index.find(base + $0, number, isCut: isCut(base + $0)) }
                    if !found.isEmpty { return found }
                }
            }
        }
        return []
    }

    /// Returns possible stems of the original of an edited version: without the mark, which may be truncated.
    private func originals(of stem: String) -> [String] {
        var bases = TakeoutEnding.edited.filter { stem.hasSuffix($0) && stem.count > $0.count }
            .map { String(stem.dropLast($0.count)) }
        guard (45...48).contains(TakeoutName.units(stem)) else { return bases }
        for mark in TakeoutEnding.edited {
            for length in (2..<mark.count).reversed() where stem.hasSuffix(mark.prefix(length)) {
                bases.append(String(stem.dropLast(length)))
            }
        }
        return bases
    }

    private func companion(_ name: Name, isFolded: Bool) -> [Int] {
        guard TakeoutEnding.isVideo(name.ending) else { return [] }
        let endings = TakeoutEnding.photos.flatMap { isFolded ? [".\($0)"] : [".\($0)", ".\($0.uppercased())"] }
        return first(name.readings) { reading in
            let stems = [reading.base, reading.base + name.ending].filter {
                index.mayHave(stem: isFolded ? $0.lowercased() : $0)
            }
            return first(endings) { ending in
                first(stems) {
                    index.find($0 + ending, reading.number, isCut: isCut($0 + ending), isFolded: isFolded)
                }
            }
        }
    }

    private func titled(_ name: Name) -> [Int] {
        first(name.readings) {
            index.findTitled(TakeoutName.sanitized($0.base), ending: name.ending, $0.number)
        }
    }

    /// The base of an edited version with a long name may be longer than the name of its description.
    private func truncatedEdited(_ name: Name) -> [Int] {
        guard TakeoutName.units(name.stem + name.ending) >= 50 else { return [] }
        return first(name.readings) { reading in
            first(TakeoutEnding.edited.filter { reading.base.hasSuffix($0) }) { mark in
                let found = index.findTruncated(
                    beginningWith: String(reading.base.dropLast(mark.count)), reading.number)
                return found.count == 1 ? found : []
            }
        }
    }

    /// The mark of an edited version may be truncated as a whole: it then has the name of its original with a number.
    private func truncatedMark(_ name: Name) -> [Int] {
        first(name.readings) {
            let whole = $0.base + name.ending
            guard $0.number != nil, TakeoutName.units(whole) >= 50 else { return [] }
            return index.find(whole, nil, isCut: isCut(whole))
        }
    }
}

extension TakeoutMatcher {
    /// Chooses by title among descriptions with equal truncated names, whose numbers are independent of those of the
    /// photos.
    private func verified(_ candidates: [Int], for name: Name) -> [Int] {
        guard let first = candidates.first else { return [] }
        guard let family = index.family(of: first), !family.isEmpty else {
            if index.isNumberShared(first) { return candidates }
            // Too many to be compared. Two are enough to tell that the titles do not decide.
            let named = index.find(photoNamed: TakeoutName.sanitized(name.readings[0].base), name.ending)
            return Array(named.prefix(2))
        }
        let ranks = family.map { rank(of: $0, for: name) }
        let best = ranks.max() ?? 0
        guard best > 0 else { return [] }
        let fitting = zip(family, ranks).filter { $0.1 == best }.map(\.0)
        if fitting.count == 1 || !index.isNumberShared(fitting[0]) { return fitting }
        let number = name.readings[0].number
        let numbered = fitting.filter { index.number(of: $0) == number }
        let wanted = candidates.filter { numbered.contains($0) }
        if !wanted.isEmpty { return wanted }
        return numbered.count == 1 ? numbered : fitting
    }

    /// Returns how well a title fits a name: 3 for the original, 2 if the extension differs in case, 1 for an edited
    /// version or a longer title, 0 if it does not.
    private func rank(of description: Int, for name: Name) -> Int {
        guard let title = index.titles[description] else { return 1 }
        let isSameEnding = title.ending.lowercased() == name.ending.lowercased()
        let limit = TakeoutName.mediaLimit - TakeoutName.units(name.ending)
        var best = 0
        for reading in name.readings {
            let stem = TakeoutName.sanitized(reading.base)
            if TakeoutName.cut(title.stem, limit) == stem {
                if title.ending == name.ending { return 3 }
                if isSameEnding { best = 2 }
            }
            if best == 0, isSameEnding, TakeoutName.units(stem) >= 45, title.stem.hasPrefix(stem) { best = 1 }
            if best == 0, title.stem == stem || isEdited(title.stem, stem, limit: limit, isSameEnding: isSameEnding) {
                best = 1
            }
        }
        return best
    }

    private func isEdited(_ title: String, _ stem: String, limit: Int, isSameEnding: Bool) -> Bool {
        TakeoutEnding.edited.contains { mark in
            if stem.hasSuffix(mark), title.hasPrefix(stem.dropLast(mark.count)) { return true }
            return TakeoutName.cut(title + mark, limit) == stem
                && (isSameEnding || TakeoutName.units(title) >= 45
                    || TakeoutName.units(stem) > TakeoutName.units(title))
        }
    }
}
