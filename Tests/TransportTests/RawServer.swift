import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that a test scripts byte by byte, on a free loopback port.
struct RawServer: Sendable {
    /// A received request: the header as sent, and the announced number of body bytes.
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
        /// Sends the text, then one byte per millisecond.
        case trickle(String, bytes: Int)
    }

    /// Runs a server for the duration of `body`.
    /// - Parameter tls: The server's certificate; without TLS if `nil`.
    /// - Parameter response: Called once per request of a connection.
    @discardableResult
    static func with<Result: Sendable>(
        tls: NIOSSLContext? = nil, response: @escaping @Sendable (Request) -> Answer,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let connections = Mutex<[any Channel]>([])
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { connection in
                connections.withLock { $0.append(connection) }
                return connection.eventLoop.makeCompletedFuture {
                    if let tls {
                        try connection.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try connection.pipeline.syncOperations.addHandler(Script(response))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(
                try await body("\(tls == nil ? "http" : "https")://127.0.0.1:\(server.localAddress?.port ?? 0)"))
        } catch {
            result = .failure(error)
        }
        // The port has no listener after this.
        try? await server.close()
        for connection in connections.withLock({ $0 }) { try? await connection.close() }
        return try result.get()
    }

    /// One connection. Uses a handler and not `NIOAsyncChannel`: a connection accepted while the server closes would
    /// be dropped unfinished, which is a fatal error in NIO.
    private final class Script: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let response: @Sendable (Request) -> Answer
        private var received = ByteBuffer()

        init(_ response: @escaping @Sendable (Request) -> Answer) { self.response = response }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var chunk = unwrapInboundIn(data)
            received.writeBuffer(&chunk)
            guard let request = RawServer.parseRequest(from: &received) else { return }
            switch response(request) {
            case .text(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            case .breakOff(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                context.close(promise: nil)
            case .silence: break
            case .trickle(let text, let bytes):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                Self.trickle(context.channel, bytes)
            }
        }

        private static func trickle(_ channel: any Channel, _ bytes: Int) {
            guard bytes > 0, channel.isActive else { return }
            channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
            channel.eventLoop.scheduleTask(in: .milliseconds(1)) { trickle(channel, bytes - 1) }
        }
    }

    private static func parseRequest(from received: inout ByteBuffer) -> Request? {
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
