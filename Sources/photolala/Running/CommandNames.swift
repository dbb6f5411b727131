import ArgumentParser

/// The names of commands, to explain a mistyped one.
enum CommandNames {
    /// What commands of other programs, and of the portal, are called here.
    private static let otherNames = [
        "archive": "To hide photos from the portal's Photos page:  photolala hidden add PATH",
        "unarchive": "To show hidden photos again:  photolala hidden remove PATH",
        "delete": "To move photos to the trash:  photolala trash put PATH",
        "login": "Did you mean “signin”?", "logout": "Did you mean “signout”?", "upload": "Did you mean “backup”?",
        "download": "Did you mean “restore”?", "search": "Did you mean “find”?",
    ]

    /// The commands whose default command accepts paths.
    private static let pathCommands: Set<String> = ["trash", "import"]

    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: If a word stands where a command is required and names none, or is similar to one where a path can stand;
    ///   with the most similar command. Also if options precede the command.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(ValidationError) {
        try checkOrder(arguments, of: root)
        var (command, path) = (root, "")
        let isHelp = arguments.first == "help"
        for word in isHelp ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            if let next = subcommands.first(where: { $0._commandName == word }) {
                (command, path) = (next, "\(path)\(word) ")
                continue
            }
            let other = path.isEmpty ? otherNames[word] : nil
            var advice = other ?? similar(to: word, in: subcommands).map { "Did you mean “\(path)\($0)”?" }
            // Other words than names belong to the default command, but none has help.
            if !isHelp, let usual = command.configuration.defaultSubcommand {
                guard advice != nil, !word.contains(where: { $0 == "." || $0 == "/" }) else { return }
                if pathCommands.contains(command._commandName) {
                    let explicit = "\(path)\(usual._commandName) \(ShellWord.quoted(word))"
                    advice? += " For a path of this name:  photolala \(explicit)"
                }
            }
            let name = Terminal.sanitized(path + word)
            throw ValidationError("Unknown command “\(name)”.\(advice.map { " \($0)" } ?? "")")
        }
    }

    /// The options of all commands that have a value.
    private static let valuedOptions: Set<String> = ["--server", "--profile-dir"]

    /// Rejects options before the command, which no parser would recognize.
    private static func checkOrder(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws(ValidationError) {
        if let first = arguments.first, ["-h", "--help", "--help-hidden", "--version"].contains(first) { return }
        var rest = arguments[...]
        while let option = rest.first, option.hasPrefix("-") {
            rest = rest.dropFirst(valuedOptions.contains(option) ? 2 : 1)
        }
        let options = arguments[..<rest.startIndex].map { ShellWord.quoted($0) }
        var (command, words) = (root, [String]())
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            (command, rest) = (next, rest.dropFirst())
            words.append(word)
        }
        guard !options.isEmpty, !words.isEmpty else { return }
        let corrected = words + options + rest.map { ShellWord.quoted($0) }
        throw ValidationError("Options belong after the command:  photolala \(corrected.joined(separator: " "))")
    }

    /// Returns the name of the command that was probably meant.
    private static func similar(to word: String, in commands: [any ParsableCommand.Type]) -> String? {
        let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let nearest = names.map { (distance: distance(word, $0), name: $0) }.min { $0 < $1 }
        return nearest.flatMap { $0.distance <= max(1, word.count / 3) ? $0.name : nil }
    }

    /// Returns the number of characters to insert, remove, replace or swap with the next one, at least approximately.
    static func distance(_ word: String, _ other: String) -> Int {
        let (from, to) = (Array(word), Array(other))
        var rows = [Array(0...to.count)]
        for (i, character) in from.enumerated() {
            var row = [i + 1]
            for (j, target) in to.enumerated() {
                var cost = min(rows[i][j] + (character == target ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, character == to[j - 1], from[i - 1] == target {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[from.count][to.count]
    }
}
