/// Why an operator acts on an account. The account's owner can read it in the audit log.
package struct OperatorReason: Sendable, Equatable {
    /// 1 to 200 printable Unicode scalars, without line breaks.
    package let text: String

    /// Returns `nil` for a text that is blank, too long or not printable.
    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard (1...200).contains(scalars.count), !scalars.allSatisfy(\.properties.isWhitespace),
            scalars.allSatisfy(Self.isPrintable)
        else { return nil }
        self.text = text
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
