/// Why an operator acts on an account. The account's owner can read it in the audit log.
package struct OperatorReason: Sendable, Equatable {
    /// 1 to 200 printable Unicode scalars with a letter or digit, without line breaks.
    package let text: String

    /// Returns `nil` for a text that is blank, too long or not printable.
    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard (1...200).contains(scalars.count), scalars.contains(where: Self.isLetterOrDigit),
            scalars.allSatisfy(Self.isPrintable)
        else { return nil }
        self.text = text
    }

    /// Fillers, such as U+3164, are letters that nothing shows.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return (properties.isAlphabetic || properties.numericType != nil) && !properties.isDefaultIgnorableCodePoint
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        // The replacement of bytes that are not UTF-8.
        if scalar == "\u{FFFD}" { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
