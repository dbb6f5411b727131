import Foundation

/// The numbers of the parts of a Takeout, such as 002 in `takeout-20230720T065335Z-002.zip`.
package enum TakeoutParts {
    /// Numbers beyond this one are no parts of an export.
    private static let mostParts = 2000

    /// Returns the names of the parts before the last given one that were not given. Nothing says how many there are.
    package static func missing(in paths: [String]) -> [String] {
        var given: [String: (ending: String, digits: Int, numbers: Set<Int>)] = [:]
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let (stem, ending) = ExportedName.split(name)
            guard name.lowercased().hasPrefix("takeout-"), let dash = stem.lastIndex(of: "-") else { continue }
            let digits = stem[stem.index(after: dash)...]
            guard (1...4).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
                let number = Int(digits), (1...mostParts).contains(number)
            else { continue }
            given[String(stem[...dash]), default: (ending, digits.count, [])].numbers.insert(number)
        }
        return given.sorted { $0.key < $1.key }.flatMap { prefix, part in
            (1..<(part.numbers.max() ?? 1)).filter { !part.numbers.contains($0) }.map { number in
                let digits = String(number)
                let zeros = String(repeating: "0", count: max(0, part.digits - digits.count))
                return "\(prefix)\(zeros)\(digits)\(part.ending)"
            }
        }
    }
}
