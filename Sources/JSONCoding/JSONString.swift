/// Writes JSON strings (RFC 8259 section 7).
package enum JSONString {
    /// Appends a string with its quotation marks. Only what must be escaped is.
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if isPlain(text) {
            bytes.append(contentsOf: text)
        } else {
            for byte in text { append(byte, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns whether no byte must be escaped.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            // A quotation mark, and a backslash.
            guard text[index] >= 0x20, text[index] != 0x22, text[index] != 0x5c else { return false }
            index += 1
        }
        return true
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digit(byte >> 4))
            bytes.append(digit(byte & 15))
        default: bytes.append(byte)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
