import Foundation

/// The form in which names of places are compared: NFKC, in lower case, and Latin letters without accents.
/// `scripts/build-place-names` writes the names in the table in the same form.
enum PlaceFolding {
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    ]

    /// Returns the folded words of a name.
    static func words(of name: String) -> [String] {
        folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    static func folded(_ name: String) -> String {
        var folded = ""
        for scalar in name.lowercased().precomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.value {
            case 0x300...0x36F: continue
            case 0xC0...0x24F, 0x1E00...0x1EFF:
                if let letter = letters[scalar] {
                    folded += letter
                } else if let base = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first {
                    folded.unicodeScalars.append(base)
                }
            default: folded.unicodeScalars.append(scalar)
            }
        }
        return folded
    }
}
