import Foundation

/// Waits on this machine for the one request with which a browser brings the answer of a sign-in (RFC 8252 section 7.3).
final class LoopbackListener: Sendable {
    /// Where the browser is to bring it.
    let redirectURI: String
    private let descriptor: CInt

    /// The longest request that is read, in bytes.
    private static let limit = 16 << 10
    /// How long a browser may take for its request, in milliseconds.
    private static let patience: CInt = 5000

    /// Listens on a free port of 127.0.0.1.
    init() throws {
        #if canImport(Glibc)
            let stream = CInt(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Self.failure() }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isUp = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isUp else {
            let failure = Self.failure()
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        redirectURI = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/callback"
    }

    deinit { close(descriptor) }

    /// The address that the browser asked for. Other requests than the one that is waited for are answered and forgotten.
    /// - Parameter seconds: how long to wait.
    /// - Returns: `nil` when nobody came in time.
    func answer(within seconds: Int, page: String) async throws -> URL? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            try Task.checkCancellation()
            // Short waits, so that Ctrl-C is heard; the thread is given back between them.
            if let url = try take(waiting: 200, page: page) { return url }
            await Task.yield()
        }
        return nil
    }

    private func take(waiting milliseconds: CInt, page: String) throws -> URL? {
        guard Self.isReadable(descriptor, within: milliseconds) else { return nil }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        defer { close(connection) }
        guard let target = Self.target(of: connection) else { return nil }
        let isAnswer = target.hasPrefix("/callback?")
        let body = isAnswer ? page : "There is nothing here.\n"
        let head = """
            HTTP/1.1 \(isAnswer ? "200 OK" : "404 Not Found")\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r

            """
        Self.write(Array((head + body).utf8), to: connection)
        return isAnswer ? URL(string: String(redirectURI.dropLast("/callback".count)) + target) : nil
    }

    /// What a GET request asks for.
    private static func target(of connection: CInt) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < limit, !bytes.contains(UInt8(ascii: "\n")), isReadable(connection, within: patience) {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(connection, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        let words = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: " ")
        return words.count == 3 && words[0] == "GET" ? String(words[1]) : nil
    }

    private static func isReadable(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    private static func write(_ bytes: [UInt8], to connection: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure() -> CommandFailure {
        CommandFailure("This machine gives no port for the browser's answer (error \(errno)).", status: .failed)
    }
}
