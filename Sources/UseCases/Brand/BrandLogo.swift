/// The operator's logo: a square PNG, or an SVG.
package struct BrandLogo: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case png = "image/png"
        case svg = "image/svg+xml"
    }

    /// The largest accepted file, in bytes.
    package static let maximumSize = 256 << 10
    /// The accepted widths of a PNG, in pixels. Phones show it with 180.
    package static let pixels = 180...1024

    package let kind: Kind
    package let bytes: [UInt8]

    /// - Returns: `nil` for a file that is too large, of another type, or a PNG that is not square or has another width.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize else { return nil }
        if let width = Self.width(ofSquarePNG: bytes) {
            guard Self.pixels.contains(width) else { return nil }
            kind = .png
        } else if Self.isSVG(bytes) {
            kind = .svg
        } else {
            return nil
        }
        self.bytes = bytes
    }

    /// Reads the image header, which is always the first chunk (PNG third edition, sections 5.2 and 11.2.1).
    private static func width(ofSquarePNG bytes: [UInt8]) -> Int? {
        guard bytes.count >= 33, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        let number = { (start: Int) in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return number(16) == number(20) ? number(16) : nil
    }

    /// Returns whether the first element is `svg`.
    private static func isSVG(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var rest = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        for (start, end) in [("<?xml", "?>"), ("<!--", "-->"), ("<!DOCTYPE svg", ">"), ("<!--", "-->")]
        where rest.hasPrefix(start) {
            guard let found = rest.firstRange(of: end) else { return false }
            rest = rest[found.upperBound...].drop(while: \.isWhitespace)
        }
        return rest.hasPrefix("<svg") && rest.dropFirst(4).first.map { $0.isWhitespace || $0 == ">" } == true
    }
}
