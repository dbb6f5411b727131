import Foundation

/// Listens on this machine for the redirect of a browser sign-in (RFC 8252 section 7.3).
final class LoopbackListener: Sendable {
    /// The redirect address.
    let redirectURI: String
    private let descriptor: CInt

    /// The largest request that is read, in bytes.
    private static let limit = 16 << 10
    /// The timeout for reading a request.
    private static let requestTimeout = Duration.seconds(2)
    /// The timeout of one poll of a socket, in milliseconds.
    private static let pollInterval: CInt = 200

    /// Listens on a free port of 127.0.0.1.
    init() throws {
        #if canImport(Darwin) || canImport(Musl)
            let stream = SOCK_STREAM
        #else
            let stream = CInt(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Self.failure() }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Non-blocking: a client that disconnects between `poll` and `accept` must not block the listener.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
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

    /// Waits for the redirect. Other requests, which any page or program can send, receive a 404 response and are
    /// ignored.
    /// - Parameters:
    ///   - seconds: The timeout.
    ///   - page: The text that the browser displays afterwards.
    ///   - isCallback: Returns whether an address is the expected redirect.
    /// - Returns: The redirect address; `nil` after the timeout.
    func waitForCallback(within seconds: Int, page: String, if isCallback: (URL) -> Bool) async throws -> URL? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            try Task.checkCancellation()
            // Short timeouts, so that Ctrl-C takes effect; the thread is released between them.
            if let url = try acceptRequest(page: page, if: isCallback) { return url }
            await Task.yield()
        }
        return nil
    }

    private func acceptRequest(page: String, if isCallback: (URL) -> Bool) throws -> URL? {
        guard Self.isReadable(descriptor, within: Self.pollInterval) else { return nil }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        defer { close(connection) }
        #if canImport(Darwin)
            var yes: CInt = 1
            setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
        #endif
        guard let target = try Self.target(of: connection) else { return nil }
        let url = URL(string: String(redirectURI.dropLast("/callback".count)) + target)
        let callback = target.hasPrefix("/callback?") ? url.flatMap { isCallback($0) ? $0 : nil } : nil
        let body = callback == nil ? "Not found.\n" : page
        let head = """
            HTTP/1.1 \(callback == nil ? "404 Not Found" : "200 OK")\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r

            """
        Self.write(Array((head + body).utf8), to: connection)
        return callback
    }

    /// Returns the target of a GET request. Reads the complete head, because unread data would reset the connection
    /// before the response is received.
    private static func target(of connection: CInt) throws -> String? {
        let end = ContinuousClock.now + requestTimeout
        var bytes: [UInt8] = []
        while bytes.count < limit, !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), ContinuousClock.now < end {
            try Task.checkCancellation()
            guard isReadable(connection, within: pollInterval) else { continue }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(connection, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        let fields = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: " ")
        return fields.count == 3 && fields[0] == "GET" ? String(fields[1]) : nil
    }

    private static func isReadable(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    private static func write(_ bytes: [UInt8], to connection: CInt) {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, quietly) }
            guard count > 0 else { return }
            remaining = remaining.dropFirst(count)
        }
    }

    /// A disconnected browser must not end the process with SIGPIPE.
    #if canImport(Darwin)
        private static let quietly: CInt = 0
    #else
        private static let quietly = CInt(MSG_NOSIGNAL)
    #endif

    private static func failure() -> CommandFailure {
        CommandFailure(
            "Cannot listen for the browser's response: \(String(cString: strerror(errno))).", status: .failed)
    }
}
