/// The values of a section of a MaxMind DB file. All offsets are positions in the file; `nil` stands for malformed data.
struct RecordValues: Sendable {
    /// The type of a value and its size: bytes, or the elements of a map or array.
    struct Header {
        let type: UInt8
        let size: Int
        /// The position of the content.
        let content: Int
    }

    private let bytes: [UInt8]
    /// The section to which pointers are relative.
    private let section: Range<Int>

    /// The values that one call skips at most. The largest records have a few hundred.
    private static let mostSkipped = 1000

    private static let pointer: UInt8 = 1
    private static let string: UInt8 = 2
    private static let map: UInt8 = 7
    private static let array: UInt8 = 11
    private static let boolean: UInt8 = 14
    /// Unsigned integers of 16, 32, 64 and 128 bits, and a signed one of 32.
    private static let integers: Set<UInt8> = [5, 6, 8, 9, 10]

    init(_ bytes: [UInt8], in section: Range<Int>) { (self.bytes, self.section) = (bytes, section) }

    /// Returns the position of a member's value in the map at a position.
    func member(_ key: StaticString, ofMapAt position: Int) -> Int? {
        guard let map = resolved(at: position), map.type == Self.map else { return nil }
        var (next, budget) = (map.content, Self.mostSkipped)
        for _ in 0..<map.size {
            guard let name = text(at: next), let value = end(ofValueAt: next, &budget) else { return nil }
            if isEqual(name, key) { return value }
            guard let end = end(ofValueAt: value, &budget) else { return nil }
            next = end
        }
        return nil
    }

    /// Returns the bytes of the text at a position.
    func text(at position: Int) -> Range<Int>? {
        guard let value = resolved(at: position), value.type == Self.string else { return nil }
        return value.content..<value.content + value.size
    }

    /// Returns the unsigned integer at a position, which has at most 32 bits.
    func number(at position: Int) -> Int? {
        guard let value = resolved(at: position), Self.integers.contains(value.type), value.size <= 4 else {
            return nil
        }
        return number(at: value.content, bytes: value.size)
    }

    private func isEqual(_ range: Range<Int>, _ key: StaticString) -> Bool {
        key.withUTF8Buffer { key in
            range.count == key.count && zip(range, key).allSatisfy { bytes[$0] == $1 }
        }
    }

    /// Returns the header of the value at a position. A pointer is followed once: none points to another.
    private func resolved(at position: Int) -> Header? {
        guard let header = header(at: position) else { return nil }
        guard header.type == Self.pointer else { return header }
        guard let target = self.header(at: header.size), target.type != Self.pointer else { return nil }
        return target
    }

    /// Returns the position after a value. Lists do not nest calls, so any depth is allowed.
    private func end(ofValueAt position: Int, _ budget: inout Int) -> Int? {
        var (next, remaining) = (position, 1)
        while remaining > 0 {
            guard budget > 0, let header = header(at: next) else { return nil }
            budget -= 1
            remaining -= 1
            next = header.content
            switch header.type {
            case Self.map: remaining += 2 * header.size
            case Self.array: remaining += header.size
            case Self.pointer, Self.boolean: break
            default: next += header.size
            }
        }
        return next
    }

    /// Returns the header at a position; a pointer's size is the position to which it points.
    private func header(at position: Int) -> Header? {
        guard let control = number(at: position, bytes: 1) else { return nil }
        var content = position + 1
        var type = UInt8(control >> 5)
        if type == Self.pointer { return pointer(control, content) }
        if type == 0 {
            guard let extended = number(at: content, bytes: 1), (1...8).contains(extended) else { return nil }
            type = UInt8(7 + extended)
            content += 1
        }
        var size = control & 0x1f
        if size >= 29 {
            let length = size - 28
            guard let more = number(at: content, bytes: length) else { return nil }
            size = [29, 285, 65_821][length - 1] + more
            content += length
        }
        let isList = type == Self.map || type == Self.array || type == Self.boolean
        guard isList || content + size <= section.upperBound else { return nil }
        return Header(type: type, size: size, content: content)
    }

    private func pointer(_ control: Int, _ position: Int) -> Header? {
        let length = (control >> 3) & 3
        guard let low = number(at: position, bytes: length + 1) else { return nil }
        let high = length == 3 ? 0 : (control & 7) << (8 * (length + 1))
        let target = section.lowerBound + high + low + [0, 2048, 526_336, 0][length]
        return Header(type: Self.pointer, size: target, content: position + length + 1)
    }

    /// Returns a big-endian number of at most 4 bytes.
    private func number(at position: Int, bytes count: Int) -> Int? {
        guard section.contains(position), position + count <= section.upperBound else {
            return count == 0 ? 0 : nil
        }
        var value = 0
        for index in position..<position + count { value = value << 8 | Int(bytes[index]) }
        return value
    }
}
