/// The average color of a picture in sRGB, shown in its place until it has loaded.
///
/// Black counts as `000001`, which looks the same: a catalog's record has 24 bits for the color, and zero means unknown.
package struct PictureColor: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Red, green and blue in 8 bits each, red first; 1 to 0xffffff.
    let value: UInt32

    /// Returns `nil` for zero and for more than 24 bits.
    init?(value: UInt32) {
        guard (1...0xff_ffff).contains(value) else { return nil }
        self.value = value
    }

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        value = max(1, UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// Returns `nil` for anything but six lower-case hex digits, and for `000000`.
    init?(utf8: some Collection<UInt8>) {
        guard utf8.count == 6 else { return nil }
        var value: UInt32 = 0
        for digit in utf8 {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        self.init(value: value)
    }

    /// Parses the text form.
    package init?(_ text: String) { self.init(utf8: Array(text.utf8)) }

    package var red: UInt8 { UInt8(truncatingIfNeeded: value >> 16) }
    package var green: UInt8 { UInt8(truncatingIfNeeded: value >> 8) }
    package var blue: UInt8 { UInt8(truncatingIfNeeded: value) }

    /// Six lower-case hex digits, such as `a1b2c3`.
    package var description: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text form.
    func write(to text: inout [UInt8]) {
        for shift in stride(from: UInt32(20), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> shift) & 15
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }

    package static func < (left: PictureColor, right: PictureColor) -> Bool { left.value < right.value }
}
