import Foundation

/// The name of an album: 1 to 256 bytes of UTF-8 in NFC with at least one visible character, without control and other
/// invisible characters, and without white space at its ends.
package struct AlbumName: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length in bytes.
    package static let maximumLength = 256

    package let description: String

    /// Trims and normalizes a name; returns `nil` if it is not valid.
    package init?(_ text: String) {
        // Normalizing many combining marks takes more than linear time.
        guard text.utf8.count <= 4 * Self.maximumLength else { return nil }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard name.utf8.count <= Self.maximumLength,
            name.unicodeScalars.allSatisfy({ !Self.isForbidden($0) }),
            name.unicodeScalars.contains(where: {
                $0.properties.generalCategory != .format && !$0.properties.isWhitespace
            })
        else { return nil }
        description = name
    }

    /// The form in which names are compared: names that differ only in case are the same.
    var folded: String { description.lowercased() }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Invisible characters other than those of Persian and Indic texts, emoji of several parts, and flags.
        case .format: ![0x200c, 0x200d].contains(scalar.value) && !(0xe0020...0xe007f).contains(scalar.value)
        default: false
        }
    }
}
