import Foundation
import PhotolalaAPI
import Transport

/// Standard output for results, and standard error for everything else.
enum Terminal {
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard error is a terminal on which a line can be replaced.
    static let canOverwrite = isInteractive && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    static var isOutputInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    static func writeResult(_ text: String) throws {
        guard !text.isEmpty else { return }
        try writeOutput(Data((text + "\n").utf8))
    }

    /// Writes to standard output.
    /// - Throws: A failure with the system's reason: a script must not take lost output for success.
    static func writeOutput(_ bytes: Data) throws {
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            let number = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
            let reason = number.map { String(cString: strerror(CInt($0))) } ?? error.localizedDescription
            var failure = CommandFailure("Cannot write to standard output: \(reason).", code: .localStorageFailed)
            failure.isBrokenPipe = number == Int(EPIPE)
            throw failure
        }
    }

    static func writeNotice(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Prints a question and leaves the cursor behind it.
    static func prompt(_ question: String) { try? FileHandle.standardError.write(contentsOf: Data(question.utf8)) }

    /// Replaces the last line on an interactive terminal.
    static func overwrite(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(line)".utf8))
    }

    /// Prints a line on standard error, in place of a progress line, which the next progress draws again.
    static func writeLine(_ text: String) {
        let erase = canOverwrite ? "\r\u{1B}[K" : ""
        try? FileHandle.standardError.write(contentsOf: Data("\(erase)\(text)\n".utf8))
    }

    /// The width of the terminal, in columns; 80 if it is unknown.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Prints the value as JSON on one line.
    static func writeJSON(_ value: some Encodable) throws {
        let encoder = WireJSON.encoder()
        encoder.outputFormatting.insert(.sortedKeys)
        try writeResult(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Replaces control characters in external text, such as device and file names, because a terminal would interpret
    /// them.
    static func sanitized(_ text: String) -> String { TerminalText.sanitized(text) }
}
