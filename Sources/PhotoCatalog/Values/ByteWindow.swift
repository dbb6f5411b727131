import NIOCore

/// Untrusted bytes with access by offset: reads beyond the end return `nil` and never trap.
struct ByteWindow {
    private let bytes: ByteBuffer

    init(_ bytes: ByteBuffer) { self.bytes = bytes.slice() }

    var count: Int { bytes.readableBytes }

    /// All bytes.
    var array: [UInt8] { Array(bytes.readableBytesView) }

    func uint8(at offset: Int) -> UInt8? { offset < 0 ? nil : bytes.getInteger(at: offset) }

    func uint16(at offset: Int, _ order: Endianness) -> UInt16? {
        offset < 0 ? nil : bytes.getInteger(at: offset, endianness: order)
    }

    func uint32(at offset: Int, _ order: Endianness) -> UInt32? {
        offset < 0 ? nil : bytes.getInteger(at: offset, endianness: order)
    }

    /// Returns a part of the bytes.
    func window(at offset: Int, count: Int) -> ByteWindow? {
        guard offset >= 0, count >= 0 else { return nil }
        return bytes.getSlice(at: offset, length: count).map(ByteWindow.init)
    }

    /// Returns bytes as text in ISO 8859-1, with one character for each byte.
    func text(at offset: Int, count: Int) -> String? {
        guard offset >= 0, count >= 0, let part = bytes.getSlice(at: offset, length: count) else { return nil }
        return String(String.UnicodeScalarView(part.readableBytesView.map { Unicode.Scalar($0) }))
    }

    /// The offset behind the zero byte that ends a text; `nil` where none comes before an offset.
    func end(ofTextAt offset: Int, before end: Int) -> Int? {
        guard offset >= 0, offset < end, let text = bytes.getSlice(at: offset, length: end - offset) else { return nil }
        let view = text.readableBytesView
        return view.firstIndex(of: 0).map { offset + view.distance(from: view.startIndex, to: $0) + 1 }
    }

    /// Whether bytes are found anywhere.
    func contains(_ expected: [UInt8]) -> Bool {
        guard let first = expected.first else { return true }
        let view = bytes.readableBytesView
        return view.indices.contains { index in
            view[index] == first && view[index...].starts(with: expected)
        }
    }

    func has(_ expected: String, at offset: Int = 0) -> Bool { has(Array(expected.utf8), at: offset) }

    func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, let part = bytes.getSlice(at: offset, length: expected.count) else { return false }
        return part.readableBytesView.elementsEqual(expected)
    }
}
