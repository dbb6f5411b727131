import Foundation
import Transport

/// Reads a small file, a pipe or, for `-`, standard input.
enum InputFile {
    /// Returns at most one byte more than the limit.
    /// - Parameters:
    ///   - content: The file's content, for the error: `the ID token`.
    ///   - kind: With `regular`, the file must not be a pipe, and `-` is a name like others.
    static func bytes(
        of path: String, limit: Int, content: String, as kind: NamedFile.Kind = .stream
    ) throws -> Data {
        do throws(NamedFile.Problem) {
            return Data(
                path == "-" && kind == .stream
                    ? try NamedFile.bytes(from: STDIN_FILENO, limit: limit)
                    : try NamedFile.bytes(of: path, as: kind, limit: limit))
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw CommandFailure("Cannot read \(content) from \(path): \(error).")
        }
    }

    /// The file's name in messages.
    static func name(_ path: String) -> String { path == "-" ? "Standard input" : path }
}
