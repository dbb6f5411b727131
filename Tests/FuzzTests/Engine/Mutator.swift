/// Generates inputs for a parser from accepted ones, determined by a seed.
struct Mutator {
    /// The longest input, in bytes.
    static let longest = 16 << 10

    private let corpus: [[UInt8]]
    private let tokens: [[UInt8]]
    private var generator: SeededGenerator

    init(_ parser: FuzzedParser, seed: UInt64) {
        corpus = parser.corpus
        tokens = parser.tokens.all
        generator = SeededGenerator(seed: seed, for: parser.name)
    }

    /// Returns the next input: one of the corpus with 1, 2, 4, 8 or 16 mutations, few more often than many.
    mutating func next() -> [UInt8] {
        var bytes = corpus.randomElement(using: &generator) ?? []
        let mutations = 1 << min(below(5), below(5))
        for _ in 0..<mutations {
            mutate(&bytes)
            if bytes.count > Self.longest { bytes.removeLast(bytes.count - Self.longest) }
        }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        switch below(15) {
        case 0: flipBit(&bytes)
        case 1: overwrite(&bytes)
        case 2: bytes.insert(UInt8(below(256)), at: below(bytes.count + 1))
        case 3: bytes.insert(contentsOf: token(), at: below(bytes.count + 1))
        case 4: bytes.replaceSubrange(range(in: bytes), with: token())
        case 5: bytes.removeSubrange(range(in: bytes))
        case 6: bytes.removeLast(below(bytes.count + 1))
        case 7: repeatPart(&bytes)
        case 8: splice(&bytes)
        case 9: changeNumber(&bytes)
        case 10: nest(&bytes)
        case 11: repeatPiece(&bytes)
        case 12: swapParts(&bytes)
        case 13: changeCase(&bytes)
        default: escape(&bytes)
        }
    }

    private mutating func below(_ count: Int) -> Int { count > 0 ? Int.random(in: 0..<count, using: &generator) : 0 }

    private mutating func token() -> [UInt8] { tokens.randomElement(using: &generator) ?? [] }

    /// Returns a range of at most 32 bytes, rarely one of any length.
    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = below(bytes.count + 1)
        let most = bytes.count - start
        return start..<start + below((below(8) == 0 ? most : min(most, 32)) + 1)
    }

    private mutating func flipBit(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
    }

    private mutating func overwrite(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        bytes[below(bytes.count)] = UInt8(below(256))
    }

    /// Repeats a part, usually twice, rarely many times.
    private mutating func repeatPart(_ bytes: inout [UInt8]) {
        let part = Array(bytes[range(in: bytes)])
        let times = below(16) == 0 ? below(5000) : below(4)
        let most = part.isEmpty ? 0 : min(times, Self.longest / part.count)
        bytes.insert(contentsOf: repeatElement(part, count: most).joined(), at: below(bytes.count + 1))
    }

    /// Joins the beginning of this input and the end of another one.
    private mutating func splice(_ bytes: inout [UInt8]) {
        let other = corpus.randomElement(using: &generator) ?? []
        bytes = bytes.prefix(below(bytes.count + 1)) + other.suffix(below(other.count + 1))
    }

    private mutating func changeNumber(_ bytes: inout [UInt8]) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let from = below(bytes.count)
        guard let start = bytes[from...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
        let number = FuzzTokens.numbers.randomElement(using: &generator) ?? ""
        bytes.replaceSubrange(start..<end, with: number.utf8)
    }

    /// Inserts many opening delimiters, closed equally often or not at all.
    private mutating func nest(_ bytes: inout [UInt8]) {
        let pairs = [("[", "]"), ("{\"a\":", "}"), ("<a>", "</a>"), ("\"", "\""), ("%25", ""), ("../", "")]
        let (open, close) = pairs.randomElement(using: &generator) ?? ("", "")
        let times = 1 << below(12)
        let part = range(in: bytes)
        let closed = below(2) == 0 ? String(repeating: close, count: times) : ""
        bytes.insert(contentsOf: closed.utf8, at: part.upperBound)
        bytes.insert(contentsOf: String(repeating: open, count: times).utf8, at: part.lowerBound)
    }

    /// Repeats a member, line, field or parameter.
    private mutating func repeatPiece(_ bytes: inout [UInt8]) {
        let separator = Array("\n,&;./".utf8).randomElement(using: &generator) ?? 0
        var pieces = bytes.split(separator: separator, omittingEmptySubsequences: false)
        guard let piece = pieces.randomElement(using: &generator) else { return }
        pieces.insert(piece, at: below(pieces.count + 1))
        bytes = Array(pieces.joined(separator: [separator]))
    }

    private mutating func swapParts(_ bytes: inout [UInt8]) {
        let part = range(in: bytes)
        let moved = Array(bytes[part])
        bytes.removeSubrange(part)
        bytes.insert(contentsOf: moved, at: below(bytes.count + 1))
    }

    private mutating func changeCase(_ bytes: inout [UInt8]) {
        for index in range(in: bytes) where Unicode.Scalar(bytes[index]).properties.isAlphabetic && bytes[index] < 0x80
        {
            bytes[index] ^= 0x20
        }
    }

    /// Percent-encodes bytes that do not need it.
    private mutating func escape(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = below(bytes.count)
        let hex = String(bytes[index], radix: 16)
        bytes.replaceSubrange(index...index, with: "%\(hex.count < 2 ? "0" : "")\(hex)".utf8)
    }
}
