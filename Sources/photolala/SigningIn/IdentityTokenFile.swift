import Foundation

/// Reads an ID token that another program obtained.
enum IdentityTokenFile {
    /// The server's limit of 16 KiB. A larger file is not an ID token.
    private static let limit = 16 << 10

    /// Reads a token from a file or pipe. Tokens are never accepted as arguments, which every user of the machine can
    /// read.
    static func token(in path: String) throws -> String {
        let bytes = try bytes(of: path)
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard bytes.count <= limit, !token.isEmpty else {
            throw CommandFailure(
                "\(path == "-" ? "Standard input" : path) does not contain an ID token.", status: .signInRejected)
        }
        return token
    }

    private static func bytes(of path: String) throws -> Data {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: limit + 1)
        while bytes.count <= limit {
            try Task.checkCancellation()
            // Polls, so that Ctrl-C does not have to wait for a slow writer.
            var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 200) != 0 else { continue }
            let count = read(file, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
            guard count > 0 || errno == EINTR else { throw failure(path) }
        }
        return bytes
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure("Cannot read the ID token from \(path): \(String(cString: strerror(errno))).")
    }
}
