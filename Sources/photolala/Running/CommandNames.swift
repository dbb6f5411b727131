import ArgumentParser
import PhotolalaClient

/// The names of commands, to explain a mistyped one.
enum CommandNames {
    /// What commands of other programs, and of the portal, are called here.
    private static let otherNames = [
        "archive": hiding, "hide": hiding, "unarchive": showing, "unhide": showing,
        "delete": deleting, "remove": deleting, "rm": deleting,
        "mv": moving, "move": moving, "rename": moving,
        "unfavorite": "To make photos no favorites any more:  photolala favorite remove PATH",
        "import google": takeout, "import google-photos": takeout,
        "import photos": """
        For a Google Takeout:         photolala import takeout PATH
        For a copy of iCloud Photos:  photolala import icloud PATH
        """,
        "import apple": iCloud, "import apple-photos": iCloud, "import icloud-photos": iCloud,
        "import ente": "Did you mean “import ente-export”?",
        "login": "Did you mean “signin”?", "logout": "Did you mean “signout”?", "register": "Did you mean “signup”?",
        "upload": "Did you mean “backup”?", "download": "Did you mean “restore”?", "search": "Did you mean “find”?",
        "ls": "Did you mean “list”?", "version": "Did you mean “--version”?",
        "trash empty": purging, "trash clear": purging, "trash delete": deleting, "trash rm": deleting,
        "trash ls": "Did you mean “trash list”?", "album ls": "Did you mean “album list”?",
        "share rm": unsharing, "share delete": unsharing, "unshare": unsharing,
    ]
    /// What is done with the thing whose name, here `?`, stands behind a command instead of another one.
    private static let objects = [
        "album": [
            ("To list the photos of an album:", "photolala list --album=?"),
            ("To add photos to an album:     ", "photolala album add ? PATH"),
        ],
        "share": [
            ("To share an album:             ", "photolala share create --album=?"),
            ("To share photos and folders:   ", "photolala share create ?"),
        ],
        "favorite": [("To make photos favorites:", "photolala favorite add ?")],
        "hidden": [("To hide photos from the portal's Photos page:", "photolala hidden add ?")],
        "devices": [("To sign a device out:", "photolala devices remove ?")],
        "preferences": [("To change a preference:", "photolala preferences set ? VALUE")],
        "service": [
            ("To sync a folder whenever you are signed in to this machine:", "photolala service install ?")
        ],
        "local": [("To examine the photos of a folder:", "photolala local scan ?")],
    ]
    private static let hiding = "To hide photos from the portal's Photos page:  photolala hidden add PATH"
    private static let showing = "To show hidden photos again:  photolala hidden remove PATH"
    private static let deleting = "To move photos to the trash:  photolala trash put PATH"
    private static let purging = "To delete what is in the trash for good:  photolala trash purge"
    private static let unsharing = "To delete a link:  photolala share revoke LINK"
    private static let moving = "To move or rename photos, move their files in a synced folder:  photolala sync FOLDER"
    private static let takeout = "Did you mean “import takeout”?"
    private static let iCloud = "Did you mean “import icloud”?"

    /// The commands whose default command accepts paths.
    private static let pathCommands: Set<String> = ["trash", "import"]

    /// - Parameters:
    ///   - arguments: The arguments without the program's name.
    ///   - exists: Returns whether there is a file or folder on this machine.
    /// - Throws: If a word stands where a command is required and names none, or is similar to one where a path can stand;
    ///   with the most similar command. Also if options precede the command.
    static func check(
        _ arguments: [String], of root: any ParsableCommand.Type,
        exists: (String) -> Bool = { LocalPath.kind(of: $0) != nil }
    ) throws(ValidationError) {
        try checkOrder(arguments, of: root)
        try checkConfirmation(arguments, of: root)
        var (command, path) = (root, "")
        let isHelp = arguments.first == "help"
        for word in isHelp ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" || !path.isEmpty else { return }
            if let next = subcommands.first(where: { $0._commandName == word }) {
                (command, path) = (next, "\(path)\(word) ")
                continue
            }
            var advice = advice(for: word, after: path, in: subcommands)
            // Other words than names belong to the default command, but none has help.
            if !isHelp, let usual = command.configuration.defaultSubcommand,
                pathCommands.contains(command._commandName)
            {
                let isPath = word.contains { $0 == "." || $0 == "/" }
                // Only exports have paths of this machine.
                guard advice != nil, !isPath, usual != ImportArchiveCommand.self || !exists(word) else { return }
                let explicit = SuggestedCommand.text("photolala \(path)\(usual._commandName) ?", word)
                advice? += "\nFor a path of this name:  \(explicit)"
            }
            let name = Terminal.sanitized(path + word)
            let separator = advice?.contains("\n") == true ? "\n" : " "
            throw ValidationError("Unknown command “\(name)”.\(advice.map { separator + $0 } ?? "")")
        }
    }

    /// - Parameter path: The commands before the word, each with a space behind it.
    private static func advice(
        for word: String, after path: String, in commands: [any ParsableCommand.Type]
    ) -> String? {
        if word.isEmpty { return nil }
        if word == "help" { return "For help:  photolala \(path)--help" }
        return otherNames[path + word] ?? similar(to: word, in: commands).map { "Did you mean “\(path)\($0)”?" }
            ?? objects[String(path.dropLast())].map { uses in
                uses.map { "\($0.0)  \(SuggestedCommand.text($0.1, word))" }.joined(separator: "\n")
            }
    }

    /// The options of all commands: those that have a value, and those that have none.
    private static let valuedOptions: Set<String> = ["--server", "--profile-dir"]
    private static let flags: Set<String> = ["--json", "--allow-plain-http"]

    /// Rejects options before the command, which no parser would recognize.
    private static func checkOrder(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws(ValidationError) {
        if let first = arguments.first, ["-h", "--help", "--help-hidden", "--version"].contains(first) { return }
        var (command, words, options, rest) = (root, [String](), [String](), arguments[...])
        while true {
            var following = rest
            while let option = following.first, option.hasPrefix("-"), isBeforeCommand(option, of: command) {
                following = following.dropFirst(valuedOptions.contains(option) ? 2 : 1)
            }
            guard let word = following.first,
                let next = command.configuration.subcommands.first(where: { $0._commandName == word })
            else { break }
            options += rest[..<following.startIndex]
            words.append(word)
            (command, rest) = (next, following.dropFirst())
        }
        guard !options.isEmpty else { return }
        let corrected = words + (options + rest).map { ShellWord.quoted(Terminal.sanitized($0)) }
        throw ValidationError("Options belong after the command:  photolala \(corrected.joined(separator: " "))")
    }

    /// Rejects `--yes` of a command that asks nothing: the parser would suggest an option with another meaning.
    private static func checkConfirmation(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws(ValidationError) {
        let (command, path, rest) = named(by: arguments, of: root)
        guard command.configuration.subcommands.isEmpty, rest.prefix(while: { $0 != "--" }).contains("--yes"),
            !command.helpMessage().contains("--yes")
        else { return }
        throw ValidationError("“\(path)” asks no question. Omit --yes.")
    }

    /// Returns the command that arguments name, its words, and the arguments behind them.
    private static func named(
        by arguments: [String], of root: any ParsableCommand.Type
    ) -> (command: any ParsableCommand.Type, path: String, rest: ArraySlice<String>) {
        var (command, words, rest) = (root, [String](), arguments[...])
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            words.append(word)
            (command, rest) = (next, rest.dropFirst())
        }
        return (command, words.joined(separator: " "), rest)
    }

    /// Returns the lines with the usage of the command without subcommands that arguments name; `nil` without one. The
    /// parser adds those of the root to errors that `check` throws.
    static func usage(of arguments: [String], _ root: any ParsableCommand.Type) -> String? {
        let (command, path, _) = named(by: arguments, of: root)
        guard command.configuration.subcommands.isEmpty else { return nil }
        let name = "\(root._commandName) \(path)"
        return "Usage: \(root.usageString(for: command))\n  See '\(name) --help' for more information."
    }

    /// Returns whether the word behind an option, or behind its value, is a command. Options of a default command that has
    /// paths may precede a path.
    private static func isBeforeCommand(_ option: String, of command: any ParsableCommand.Type) -> Bool {
        if ["-h", "--help"].contains(option) { return false }
        let isCommon = flags.contains(option) || valuedOptions.contains { option == $0 || option.hasPrefix("\($0)=") }
        return isCommon || !pathCommands.contains(command._commandName)
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
