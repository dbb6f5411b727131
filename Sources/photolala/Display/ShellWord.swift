/// Formats a word of a suggested command.
enum ShellWord {
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-".utf8)

    /// Returns the text as one word of a shell, in quotes only if it needs them.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
        return "'\(text.replacing("'", with: "'\\''"))'"
    }
}
