/// Quotes text for use in a shell command.
enum ShellWord {
    static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
}
