/// The numbers of the parts of a copy of iCloud Photos, such as 2 and 5 in `iCloud Photos Part 2 of 5.zip`. The words
/// depend on the language.
enum ICloudParts {
    /// Larger numbers are not those of parts.
    private static let mostParts = 2000

    /// Returns the names of the parts that were not given.
    static func missing(in paths: [String], _ files: [ExportedFile]) -> [String] {
        var names = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
        var folders: Set<Substring> = []
        for file in files {
            guard let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            let folder = file.path[..<slash]
            guard folders.insert(folder).inserted else { continue }
            for name in folder.split(separator: "/") { names.insert(String(name)) }
        }
        var given: [Series: Set<Int>] = [:]
        for name in names {
            guard let (series, number) = Series.read(ExportedName.normalized(name)) else { continue }
            given[series, default: []].insert(number)
        }
        return given.sorted { $0.key.words.joined() < $1.key.words.joined() }.flatMap { series, numbers in
            (1...series.count).filter { !numbers.contains($0) }.map(series.name)
        }
    }

    /// Parts that belong together.
    private struct Series: Hashable {
        /// What precedes, separates and follows the two numbers.
        let words: [String]
        let count: Int

        /// Reads a name with two numbers, of which the part's is not the larger one.
        static func read(_ name: String) -> (Series, number: Int)? {
            guard name.lowercased().contains("icloud"), name.utf8.count <= 255 else { return nil }
            var words = [""]
            var numbers: [String] = []
            var isNumber = false
            let stem = name.lowercased().hasSuffix(".zip") ? String(name.dropLast(4)) : name
            for character in withoutCopyNumber(stem) {
                let isDigit = character.isASCII && character.isNumber
                if isDigit, !isNumber { numbers.append("") }
                if !isDigit, isNumber { words.append("") }
                if isDigit {
                    numbers[numbers.count - 1].append(character)
                } else {
                    words[words.count - 1].append(character)
                }
                isNumber = isDigit
            }
            if isNumber { words.append("") }
            let values = numbers.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
            guard values.count == 2, words.count == 3, let count = values.max(), let number = values.min(),
                (1...mostParts).contains(number), count <= mostParts
            else { return nil }
            if values[0] > values[1] { words = ["<"] + words }
            return (Series(words: words, count: count), number)
        }

        /// Browsers add ` (1)` to the name of a second download.
        private static func withoutCopyNumber(_ stem: String) -> String {
            guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open != stem.startIndex,
                stem[stem.index(before: open)] == " "
            else { return stem }
            let digits = stem[stem.index(after: open)...].dropLast()
            guard (1...2).contains(digits.count), digits.utf8.allSatisfy(ExportedName.isDigit) else { return stem }
            return String(stem[..<stem.index(before: open)])
        }

        func name(_ number: Int) -> String {
            words.count == 4
                ? "\(words[1])\(count)\(words[2])\(number)\(words[3])"
                : "\(words[0])\(number)\(words[1])\(count)\(words[2])"
        }
    }
}
