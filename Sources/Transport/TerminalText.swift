/// Text from elsewhere in the output of a program.
package enum TerminalText {
    /// Replaces control characters in external text, such as device and file names, because a terminal would interpret
    /// them, and invisible ones, which make different names look equal or reorder them. A joiner between two emoji is
    /// visible: it makes one of them.
    package static func sanitized(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let shown = scalars.indices.map { index -> Unicode.Scalar in
            switch scalars[index].properties.generalCategory {
            case .format where joinsEmoji(index, in: scalars): scalars[index]
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
            default: scalars[index]
            }
        }
        return String(String.UnicodeScalarView(shown))
    }

    private static func joinsEmoji(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[index] == "\u{200D}", index + 1 < scalars.count, isEmoji(scalars[index + 1]) else { return false }
        // Behind an emoji, the form of a picture or a color of the skin can stand.
        let before = scalars[..<index].last { $0 != "\u{FE0F}" && !$0.properties.isEmojiModifier }
        return before.map(isEmoji) ?? false
    }

    /// Digits and signs such as `#` are emoji only with further characters.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xFF && scalar.properties.isEmoji }

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
