/// Formats a word of a suggested command.
enum ShellWord {
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-".utf8)

    /// Returns the text as one word of a shell, in quotes only if it needs them.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
        return "'\(text.replacing("'", with: "'\\''"))'"
    }

    /// Returns the text as one word of bash, zsh or ksh, with escapes for what is not printed.
    static func escaped(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            let character = String(scalar)
            if scalar == "'" || scalar == "\\" { return "\\\(character)" }
            if Terminal.sanitized(character) == character { return character }
            return character.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return "$'\(characters.joined())'"
    }
}
