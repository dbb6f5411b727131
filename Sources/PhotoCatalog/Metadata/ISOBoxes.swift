/// The boxes of the ISO base media file format at one level, at most 4,096 of them: a length, a four-letter type and a
/// payload, of which the last may be truncated. A box is read when it is asked for, and reading allocates nothing.
struct ISOBoxes: Sequence, IteratorProtocol {
    struct Box {
        let kind: BoxKind
        let payload: ByteWindow
    }

    private let bytes: ByteWindow
    private var offset = 0
    private var remaining = 4096

    init(_ bytes: ByteWindow) { self.bytes = bytes }

    mutating func next() -> Box? {
        guard let (kind, range) = nextRange(), let payload = bytes.window(at: range.lowerBound, count: range.count)
        else { return nil }
        return Box(kind: kind, payload: payload)
    }

    /// Returns the payload of the first box of a type.
    func first(_ kind: BoxKind) -> ByteWindow? {
        var boxes = self
        while let (found, range) = boxes.nextRange() {
            if found == kind { return bytes.window(at: range.lowerBound, count: range.count) }
        }
        return nil
    }

    private mutating func nextRange() -> (kind: BoxKind, payload: Range<Int>)? {
        guard remaining > 0, let length = bytes.uint32(at: offset, .big), length >= 8,
            let kind = bytes.uint32(at: offset + 4, .big)
        else { return nil }
        remaining -= 1
        let start = offset + 8
        offset += Int(length)
        return (BoxKind(number: kind), start..<Swift.min(offset, bytes.count))
    }
}

/// The four-letter type of a box, as a number: a text for each box would cost more than all other work.
struct BoxKind: Hashable, ExpressibleByStringLiteral {
    let number: UInt32

    init(number: UInt32) { self.number = number }

    init(stringLiteral name: StaticString) {
        number = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

extension ByteWindow {
    func starts(with kind: BoxKind) -> Bool { uint32(at: 0, .big) == kind.number }
}
