import NIOCore
import NIOPosix

/// A server that a test scripts byte by byte, on a free port of the loopback.
struct RawServer: Sendable {
    /// What was received: the head as it stood on the wire, and as many body bytes as it announced.
    struct Request: Sendable {
        var head: String
        var body: ByteBuffer

        var target: String { String(head.split(separator: " ").dropFirst().first ?? "") }
    }

    enum Answer: Sendable {
        case text(String)
        /// Sends the text, then closes before the announced end.
        case breakOff(String)
        case silence
    }

    /// Runs a server while `body` runs.
    /// - Parameter answer: called once per request of a connection.
    @discardableResult
    static func with<Result: Sendable>(
        answer: @escaping @Sendable (Request) -> Answer, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let port = server.channel.localAddress?.port ?? 0
        let serving = Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { try? await serve(connection, answer) }
                    }
                    group.cancelAll()
                }
            }
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(port)"))
        } catch {
            result = .failure(error)
        }
        // Closing, not cancelling: a connection that was accepted but not taken yet would be dropped unfinished, which
        // NIO forbids. Once this is over nobody listens any more.
        try? await server.channel.close()
        _ = await serving.result
        return try result.get()
    }

    private static func serve(
        _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ answer: @Sendable (Request) -> Answer
    ) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var received = ByteBuffer()
            for try await var chunk in inbound {
                received.writeBuffer(&chunk)
                guard let request = take(from: &received) else { continue }
                switch answer(request) {
                case .text(let text): try await outbound.write(ByteBuffer(string: text))
                case .breakOff(let text):
                    try await outbound.write(ByteBuffer(string: text))
                    return
                case .silence: continue
                }
            }
        }
    }

    private static func take(from received: inout ByteBuffer) -> Request? {
        let text = String(decoding: received.readableBytesView, as: UTF8.self)
        guard let end = text.utf8.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(text[..<end.lowerBound])
        let announced = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = announced.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
        guard received.readableBytes >= head.utf8.count + 4 + length else { return nil }
        received.moveReaderIndex(forwardBy: head.utf8.count + 4)
        return Request(head: head, body: received.readSlice(length: length) ?? ByteBuffer())
    }
}
