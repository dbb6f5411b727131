/// Text from elsewhere in the output of a program.
package enum TerminalText {
    /// Replaces control characters in external text, such as device and file names, because a terminal would interpret
    /// them.
    package static func sanitized(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    /// Replaces control characters in a message except its own line breaks.
    /// - Parameter words: Arguments that the message may contain, or the values behind their `=`. Their line breaks are
    ///   replaced, too.
    package static func message(_ text: String, quoting words: [String] = []) -> String {
        var scalars = text.unicodeScalars
        for word in words where word.unicodeScalars.contains("\n") {
            let value = word.unicodeScalars.split(separator: "=", maxSplits: 1).dropFirst().map { String($0) }
            for part in [word] + value where part.unicodeScalars.contains("\n") {
                // Compares scalars: the quotation mark before a combining one forms a character with it.
                scalars.replace(part.unicodeScalars, with: sanitized(part).unicodeScalars)
            }
        }
        return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }
            .joined(separator: "\n")
    }
}
