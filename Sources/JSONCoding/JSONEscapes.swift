/// The escapes of JSON strings (RFC 8259 section 7).
enum JSONEscapes {
    /// Returns the length of the escape after a backslash; `nil` if it is none, or half of a surrogate pair.
    static func length(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 1
        case UInt8(ascii: "u"): return scalar(bytes, at: position)?.length
        default: return nil
        }
    }

    /// Returns the UTF-8 text of a string whose escapes are valid.
    static func text(of string: ArraySlice<UInt8>) -> [UInt8] {
        string.withUnsafeBufferPointer { string in
            var text: [UInt8] = []
            text.reserveCapacity(string.count)
            var position = 0
            while position < string.count {
                let byte = string[position]
                position += 1
                guard byte == UInt8(ascii: "\\"), position < string.count else {
                    text.append(byte)
                    continue
                }
                if let (scalar, length) = scalar(string, at: position) {
                    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                    position += length
                } else {
                    text.append(character(string[position]))
                    position += 1
                }
            }
            return text
        }
    }

    private static func character(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// Returns the scalar of `uXXXX`, or of the surrogate pair `uXXXX\uXXXX`, and the length of that text.
    private static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        guard let first = unit(bytes, at: position) else { return nil }
        guard (0xd800...0xdbff).contains(first) else { return Unicode.Scalar(first).map { ($0, 5) } }
        guard position + 5 < bytes.count, bytes[position + 5] == UInt8(ascii: "\\"),
            let second = unit(bytes, at: position + 6), (0xdc00...0xdfff).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)).map { ($0, 11) }
    }

    /// Returns the code unit of `uXXXX`.
    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt32? {
        guard position + 5 <= bytes.count, bytes[position] == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for index in position + 1..<position + 5 {
            guard let digit = digit(bytes[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
