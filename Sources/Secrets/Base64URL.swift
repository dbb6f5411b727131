import Foundation

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5), decoded strictly: each value has exactly
/// one encoding.
package enum Base64URL {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    private static let invalid: UInt8 = 0xff

    package static func encode(_ bytes: some ContiguousBytes) -> String { bytes.withUnsafeBytes(encode(buffer:)) }

    private static func encode(buffer bytes: UnsafeRawBufferPointer) -> String {
        let count = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: count) { text in
            let digits = alphabet.utf8Start
            var (bits, bitCount, position) = (UInt32(0), UInt32(0), 0)
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                bitCount += 8
                while bitCount >= 6 {
                    bitCount -= 6
                    text[position] = digits[Int(bits >> bitCount & 63)]
                    position += 1
                }
            }
            if bitCount > 0 { text[position] = digits[Int(bits << (6 - bitCount) & 63)] }
            return count
        }
    }

    /// Returns `nil` for padding, the other alphabet, white space, impossible lengths and stray trailing bits.
    package static func decode(_ text: String) -> Data? {
        var text = text
        return text.withUTF8(decode(_:))
    }

    /// Returns `nil` for padding, the other alphabet, white space, impossible lengths and stray trailing bits.
    package static func decode(_ text: Substring) -> Data? {
        var text = text
        return text.withUTF8(decode(_:))
    }

    /// Returns `nil` for padding, the other alphabet, white space, impossible lengths and stray trailing bits.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> Data? {
        guard text.count % 4 != 1 else { return nil }
        var data = Data(count: text.count * 3 / 4)
        let isValid = data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) -> Bool in
            var (bits, bitCount, position) = (UInt32(0), UInt32(0), 0)
            for digit in text {
                let value = value(of: digit)
                guard value != invalid else { return false }
                bits = bits << 6 | UInt32(value)
                bitCount += 6
                if bitCount >= 8 {
                    bitCount -= 8
                    bytes[position] = UInt8(truncatingIfNeeded: bits >> bitCount)
                    position += 1
                }
            }
            return bits & (1 << bitCount - 1) == 0
        }
        return isValid ? data : nil
    }

    private static func value(of digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: invalid
        }
    }
}
