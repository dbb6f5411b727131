import Foundation

/// A case-insensitive pattern for file names: a part of the name or, with the wildcards `*` and `?`, the whole name.
package struct NamePattern: Sendable, Equatable {
    private let characters: [Character]
    /// The pattern as bytes; `nil` if it contains characters that are not ASCII.
    private let bytes: [UInt8]?

    package init(_ text: String) {
        let folded = Array(text.lowercased().precomposedStringWithCanonicalMapping)
        let isWhole = folded.contains { $0 == "*" || $0 == "?" }
        characters = isWhole ? folded : ["*"] + folded + ["*"]
        let utf8 = characters.flatMap { Array($0.utf8) }
        bytes = utf8.allSatisfy { $0 < 0x80 } ? utf8 : nil
    }

    /// Returns whether a name matches. Most names are ASCII and are compared byte by byte. In other names a letter may
    /// have several Unicode compositions.
    func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in name { all |= byte }
        guard all < 0x80 else {
            let characters = Array(String(decoding: name, as: UTF8.self).lowercased())
            return Self.matches(characters, self.characters, any: "*", one: "?")
        }
        guard let bytes else { return false }
        let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let folded = name.map { isUpper.contains($0) ? $0 | 0x20 : $0 }
        return Self.matches(folded, bytes, any: UInt8(ascii: "*"), one: UInt8(ascii: "?"))
    }

    /// Matches with backtracking to the last `*`; earlier ones need not be tried again.
    private static func matches<Element: Equatable>(
        _ name: [Element], _ pattern: [Element], any: Element, one: Element
    ) -> Bool {
        var (index, patternIndex) = (0, 0)
        var star: (patternIndex: Int, index: Int)?
        while index < name.count {
            if patternIndex < pattern.count, pattern[patternIndex] == any {
                star = (patternIndex, index)
                patternIndex += 1
            } else if patternIndex < pattern.count, pattern[patternIndex] == one || pattern[patternIndex] == name[index]
            {
                (index, patternIndex) = (index + 1, patternIndex + 1)
            } else if let last = star {
                star = (last.patternIndex, last.index + 1)
                (index, patternIndex) = (last.index + 1, last.patternIndex + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == any }
    }
}
