/// A word as a person types it at a shell.
enum ShellWord {
    static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
}
