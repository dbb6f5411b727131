import Foundation

/// Asks the user for confirmation on the terminal.
enum Confirmation {
    /// Whether standard input and standard error are terminals.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && Terminal.isInteractive }

    /// Returns whether the answer is `y` or `yes`. Ctrl-C returns `false`.
    static func prompt(_ question: String) async -> Bool {
        ["y", "yes"].contains(await answer("\(question) [y/N] ")?.lowercased())
    }

    /// Returns the line that the user types; `nil` for Ctrl-C or the end of the input.
    static func answer(_ question: String) async -> String? {
        Terminal.prompt(question)
        // Reads on a separate thread, because reading blocks and Ctrl-C must interrupt it.
        let lines = AsyncStream<String> { continuation in
            Thread.detachNewThread {
                if let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        for await line in lines { return line }
        return nil
    }
}
