import Foundation

/// A case-insensitive pattern for names: a part of the name or, with the wildcards `*` and `?`, the whole name.
package struct NamePattern: Sendable, Equatable {
    /// The lower-case text in NFC; without wildcards, a part of the name.
    private let scalars: [Unicode.Scalar]
    private let bytes: [UInt8]
    let isPart: Bool
    /// For each byte of a part, the length of the longest proper prefix of the part that ends there.
    private let borders: [Int]

    package init(_ text: String) {
        self.init(text, isPart: !text.contains { $0 == "*" || $0 == "?" })
    }

    /// Creates a pattern for a part of the name, in which `*` and `?` have no meaning.
    package init(part text: String) { self.init(text, isPart: true) }

    private init(_ text: String, isPart: Bool) {
        let folded = NameFolding.folded(text)
        scalars = Array(folded.unicodeScalars)
        bytes = Array(folded.utf8)
        self.isPart = isPart
        borders = isPart ? Self.borders(of: bytes) : []
    }

    /// Returns whether a name matches. A part takes time in proportion to the length of the name.
    func matches(_ name: FoldedName) -> Bool {
        if isPart { return name.withBytes { hasPart(in: $0) } }
        return Self.matches(Array(name.text.unicodeScalars), scalars, any: "*", one: "?")
    }

    /// Searches the part, by the algorithm of Knuth, Morris and Pratt.
    private func hasPart(in name: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.isEmpty { return true }
        var matched = 0
        for byte in name {
            let byte = NameFolding.folded(byte)
            while matched > 0, bytes[matched] != byte { matched = borders[matched - 1] }
            if bytes[matched] == byte { matched += 1 }
            if matched == bytes.count { return true }
        }
        return false
    }

    private static func borders(of bytes: [UInt8]) -> [Int] {
        var borders = [Int](repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = length
        }
        return borders
    }

    /// Matches with backtracking to the last `*`; earlier ones need not be tried again.
    private static func matches(
        _ name: [Unicode.Scalar], _ pattern: [Unicode.Scalar], any: Unicode.Scalar, one: Unicode.Scalar
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
