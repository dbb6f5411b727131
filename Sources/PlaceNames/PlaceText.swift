/// Reads the lines of a table: fields between tabs.
struct PlaceText {
    private let bytes: [UInt8]
    private var position = 0
    /// The number of the line that is read, from 1.
    private(set) var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isOver: Bool { position == bytes.count }

    /// Returns the bytes before the next `end`, which is consumed. They have no tab and no line break.
    mutating func field(endedBy end: UInt8 = Self.tab) throws(PlaceTableError) -> Range<Int> {
        let start = position
        while position < bytes.count, bytes[position] != Self.tab, bytes[position] != Self.lineBreak,
            bytes[position] != end
        { position += 1 }
        guard position < bytes.count, bytes[position] == end else { throw .malformed(line: line) }
        defer { position += 1 }
        return start..<position
    }

    /// Returns several fields, which end with a tab.
    mutating func fields(_ count: Int) throws(PlaceTableError) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        for _ in 0..<count { fields.append(try field()) }
        return fields
    }

    /// Returns a decimal number of at most nine digits.
    mutating func number(endedBy end: UInt8 = Self.tab) throws(PlaceTableError) -> Int {
        var digits = bytes[try field(endedBy: end)]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard (1...9).contains(digits.count) else { throw .malformed(line: line) }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw .malformed(line: line) }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }

    /// Returns a number in a range.
    mutating func number(
        in range: ClosedRange<Int>, endedBy end: UInt8 = Self.tab
    ) throws(PlaceTableError) -> Int {
        let value = try number(endedBy: end)
        guard range.contains(value) else { throw .malformed(line: line) }
        return value
    }

    /// Starts the next line, after the line break was consumed.
    mutating func advance() { line += 1 }

    static let tab = UInt8(ascii: "\t")
    static let lineBreak = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
}
