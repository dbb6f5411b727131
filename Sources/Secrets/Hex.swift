import Foundation

/// Lower-case hexadecimal (RFC 4648 section 8, but lower case).
package enum Hex {
    package static func encode(_ bytes: some ContiguousBytes) -> String {
        bytes.withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = digit(byte >> 4)
                    text[2 * index + 1] = digit(byte & 15)
                }
                return 2 * bytes.count
            }
        }
    }

    /// Whether the text is exactly `count` lower-case hex digits.
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
