import ArgumentParser

/// The names of commands, to explain a mistyped one.
enum CommandNames {
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: If a word stands where a command is required and names none; with the most similar command.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(ValidationError) {
        var (command, path) = (root, "")
        let isHelp = arguments.first == "help"
        for word in isHelp ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            if let next = subcommands.first(where: { $0._commandName == word }) {
                (command, path) = (next, "\(path)\(word) ")
                continue
            }
            // Other words than names belong to the default command, but none has help.
            guard isHelp || command.configuration.defaultSubcommand == nil else { return }
            let names = subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
            let nearest = names.map { (distance: distance(word, $0), name: $0) }.min { $0 < $1 }
            let similar = nearest.flatMap {
                $0.distance <= max(1, word.count / 3) ? " Did you mean “\(path)\($0.name)”?" : nil
            }
            throw ValidationError("Unknown command “\(path)\(word)”.\(similar ?? "")")
        }
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
