import Foundation

/// An sRGB color for buttons and links.
package struct AccentColor: Sendable, Equatable, CustomStringConvertible {
    /// The components, 0 to 1.
    private let red, green, blue: Double

    /// Photolala's own color.
    package static let standard = AccentColor(0x0b / 255, 0x57 / 255, 0xd0 / 255)
    /// The background of dark pages.
    private static let dark = AccentColor(0x16 / 255, 0x16 / 255, 0x1a / 255)
    private static let white = AccentColor(1, 1, 1)
    /// The contrast of text that WCAG 2.2 requires at level AA (success criterion 1.4.3).
    package static let minimumContrast = 4.5

    private init(_ red: Double, _ green: Double, _ blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Parses `#rrggbb`.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), let number = Int(text.dropFirst(), radix: 16), number >= 0
        else { return nil }
        self.init(Double(number >> 16) / 255, Double(number >> 8 & 0xff) / 255, Double(number & 0xff) / 255)
    }

    package var description: String {
        let number = [red, green, blue].reduce(0) { $0 << 8 | Int(($1 * 255).rounded()) }
        let digits = String(number, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The contrast with white, 1 to 21.
    package var contrastWithWhite: Double { contrast(with: .white) }

    /// The color for dark pages: lightened until text in it has the required contrast.
    package var onDark: AccentColor {
        var (color, share) = (self, 0.0)
        while color.contrast(with: .dark) < Self.minimumContrast + 1.5, share < 1 {
            share += 0.05
            color = mixedWithWhite(share)
        }
        return color
    }

    private func mixedWithWhite(_ share: Double) -> AccentColor {
        let mixed = [red, green, blue].map { $0 + (1 - $0) * min(share, 1) }
        return AccentColor(mixed[0], mixed[1], mixed[2])
    }

    /// WCAG 2.2, "contrast ratio".
    private func contrast(with other: AccentColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// WCAG 2.2, "relative luminance".
    private var luminance: Double {
        let linear = [red, green, blue].map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
