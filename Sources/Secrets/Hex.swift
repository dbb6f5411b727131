import Foundation

/// Hexadecimal as in RFC 4648 section 8, but in lower case.
package enum Hex {
    package static func encode(_ bytes: some ContiguousBytes) -> String {
        bytes.withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
                var index = 0
                while index < bytes.count {
                    text[2 * index] = digit(bytes[index] >> 4)
                    text[2 * index + 1] = digit(bytes[index] & 15)
                    index += 1
                }
                return 2 * bytes.count
            }
        }
    }

    /// Returns `nil` for anything but pairs of lower-case digits.
    package static func decode(_ text: String) -> Data? {
        guard text.utf8.count.isMultiple(of: 2), isLowercase(text, count: text.utf8.count) else { return nil }
        var bytes = Data(capacity: text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            let value = digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    /// Returns whether the text is exactly `count` lower-case hex digits. Inlinable, so that it is compiled for the text.
    @inlinable
    package static func isLowercase(_ text: some StringProtocol, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
