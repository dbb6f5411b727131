/// Commands that messages suggest, as they can be pasted into a shell. Words with control characters need bash, zsh or
/// ksh.
enum SuggestedCommand {
    /// Returns a command with words in place of each `?`. A word that begins with a dash does not become an option.
    /// - Parameter template: The command with its program; options stand before arguments, and those with a value as
    ///   `--into=?`.
    static func text(_ template: String, _ words: String...) -> String {
        var (rest, isBehindOptions) = (words[...], false)
        let parts = template.split(separator: " ").map { part in
            guard part.last == "?", let word = rest.popFirst() else { return String(part) }
            if part.count > 1 { return option(String(part.dropLast(2)), word) }
            guard word.hasPrefix("-"), !isBehindOptions else { return quoted(word) }
            isBehindOptions = true
            return "-- \(quoted(word))"
        }
        return parts.joined(separator: " ")
    }

    /// Returns a command for a folder of this device and its place in the library.
    static func text(_ command: String, of folder: String, into place: String?) -> String {
        guard let place else { return text("\(command) ?", folder) }
        return text("\(command) --into=? ?", place, folder)
    }

    /// Returns an option with its value.
    static func option(_ name: String, _ value: String) -> String {
        // A parser takes a separate word that begins with a dash for an option.
        "\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
    }

    private static func quoted(_ word: String) -> String {
        Terminal.sanitized(word) == word ? ShellWord.quoted(word) : ShellWord.escaped(word)
    }
}
