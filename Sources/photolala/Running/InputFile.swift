import Foundation

/// Reads a small file, a pipe or, for `-`, standard input.
enum InputFile {
    /// Returns at most one byte more than the limit.
    /// - Parameter content: The file's content, for the error: `the ID token`.
    static func bytes(of path: String, limit: Int, content: String) throws -> Data {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path, content) }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, 1 << 20))
        while bytes.count <= limit {
            try Task.checkCancellation()
            // Polls, so that Ctrl-C does not have to wait for a slow writer.
            var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 200) != 0 else { continue }
            let count = read(file, &chunk, min(chunk.count, limit + 1 - bytes.count))
            if count == 0 { break }
            if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
            guard count > 0 || errno == EINTR else { throw failure(path, content) }
        }
        return bytes
    }

    /// The file's name in messages.
    static func name(_ path: String) -> String { path == "-" ? "Standard input" : path }

    private static func failure(_ path: String, _ content: String) -> CommandFailure {
        CommandFailure("Cannot read \(content) from \(path): \(String(cString: strerror(errno))).")
    }
}
