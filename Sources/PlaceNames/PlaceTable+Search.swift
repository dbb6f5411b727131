extension PlaceTable {
    /// Returns the cities that a word of a search names: by a name of the city, of its region or of its country, in any
    /// language and ignoring case and accents. Empty if there are none. Milliseconds.
    ///
    /// A name must have the whole word. One in Japanese, Chinese or Korean, which has no spaces, need only begin with it.
    /// - Parameter word: If it has several parts, as `Garmisch-Partenkirchen`, each must match. None is found for more than
    ///   `maximumParts`, because each searches the table.
    package func cities(named word: String) -> PlaceSet {
        let parts = PlaceFolding.words(of: word).map { SearchedPart($0) }
        var found = PlaceSet(count: count)
        // Numbers are dates or parts of file names.
        guard parts.contains(where: { !$0.isNumber }), parts.count <= Self.maximumParts else { return found }
        for (index, part) in parts.enumerated() where index == 0 || !found.isEmpty {
            let matches = cities(matching: part)
            if index == 0 { found = matches } else { found.formIntersection(matches) }
        }
        return found
    }

    /// The most parts of a word that is searched.
    private static let maximumParts = 8

    private func cities(matching part: SearchedPart) -> PlaceSet {
        var found = PlaceSet(count: count)
        text.withUnsafeBufferPointer { text in
            let inCountry = countries.map { part.occurs(in: text, $0.searched) }
            let inRegion = regions.map { inCountry[$0.country] || part.occurs(in: text, $0.searched) }
            for (index, city) in cities.enumerated() {
                let isFound =
                    inRegion[Int(city.region)]
                    || part.occurs(in: text, Int(city.nameStart)..<Int(city.searchedEnd))
                if isFound { found.insert(index) }
            }
        }
        return found
    }
}

/// A folded word that is searched in names.
private struct SearchedPart {
    private let bytes: [UInt8]
    /// Whether a name may continue after it.
    private let isPrefix: Bool
    let isNumber: Bool

    init(_ word: String) {
        bytes = Array(word.utf8)
        isNumber = word.allSatisfy(\.isNumber)
        let scalars = word.unicodeScalars
        isPrefix = scalars.count > 1 && scalars.allSatisfy { $0.value >= 0x3040 }
    }

    /// Returns whether a word of these names is this one or, where that suffices, begins with it.
    func occurs(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = bytes.first else { return false }
        var index = range.lowerBound
        let last = range.upperBound - bytes.count
        var isStart = true
        while index <= last {
            let byte = Self.lower(text[index])
            if isStart, byte == first, matches(text, at: index, end: range.upperBound) { return true }
            isStart = !Self.isInWord(byte)
            index += 1
        }
        return false
    }

    private func matches(_ text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
        for (offset, byte) in bytes.enumerated() where Self.lower(text[start + offset]) != byte { return false }
        let next = start + bytes.count
        return isPrefix || next == end || !Self.isInWord(text[next])
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Names have only ASCII punctuation where they are folded.
    private static func isInWord(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
