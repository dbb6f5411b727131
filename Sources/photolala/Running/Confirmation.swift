import Foundation

/// Asks the person at the terminal before something is done.
enum Confirmation {
    /// Whether somebody is there to answer.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && Terminal.isInteractive }

    /// Only `y` and `yes` are a yes; Ctrl-C is none.
    static func ask(_ question: String) async -> Bool {
        Terminal.ask("\(question) [y/N] ")
        // Reading blocks, and Ctrl-C must end it.
        let lines = AsyncStream<String> { continuation in
            Thread.detachNewThread {
                if let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        for await line in lines { return ["y", "yes"].contains(line.lowercased()) }
        return false
    }
}
