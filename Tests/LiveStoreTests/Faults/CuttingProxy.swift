import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy on loopback that cuts connections after given numbers of bytes in both directions, like an unreliable
/// network.
final class CuttingProxy: Sendable {
    private struct State {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        var lives: [Int]
        var cuts = 0
    }

    private let target: Int
    private let state: Mutex<State>
    private let group = MultiThreadedEventLoopGroup.singleton

    /// - Parameter lives: The number of bytes that each new connection transfers. Connections after the last number are
    ///   never cut.
    init(to target: Int, lives: [Int]) {
        self.target = target
        state = Mutex(State(lives: lives.reversed()))
    }

    /// The number of cut connections.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Starts listening and returns the port.
    func start(port: Int = 0) async throws -> Int {
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] client in connect(client) }
            .bind(host: "127.0.0.1", port: port).get()
        state.withLock { $0.listener = listener }
        return listener.localAddress?.port ?? 0
    }

    /// Closes all connections, like a server that stops.
    func stop() async {
        let (listener, connections) = state.withLock { state in
            defer { (state.listener, state.connections) = (nil, [:]) }
            return (state.listener, Array(state.connections.values))
        }
        try? await listener?.close()
        for connection in connections { try? await connection.close() }
    }

    private func connect(_ client: any Channel) -> EventLoopFuture<Void> {
        let budget = Budget(state.withLock { $0.lives.popLast() } ?? .max) { [self] in
            state.withLock { $0.cuts += 1 }
        }
        register(client)
        return ClientBootstrap(group: client.eventLoop).channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: target)
            .flatMap { server in
                client.pipeline.addHandler(ForwardingHandler(to: server, budget)).flatMap {
                    server.pipeline.addHandler(ForwardingHandler(to: client, budget))
                }.map { server.read() }
            }
    }

    private func register(_ client: any Channel) {
        let id = ObjectIdentifier(client)
        state.withLock { $0.connections[id] = client }
        client.closeFuture.whenComplete { [self] _ in state.withLock { $0.connections[id] = nil } }
    }
}

/// The number of bytes that a connection may still transfer, in both directions together.
private final class Budget: Sendable {
    private let remaining: Mutex<Int>
    private let onEnd: @Sendable () -> Void

    init(_ bytes: Int, onEnd: @escaping @Sendable () -> Void) {
        remaining = Mutex(bytes)
        self.onEnd = onEnd
    }

    /// Returns how many of the given bytes may be transferred. Returns less only once, after which the connection is
    /// cut.
    func consume(_ bytes: Int) -> Int {
        let (before, after) = remaining.withLock { left in
            let before = left
            if left != .max { left = max(0, left - bytes) }
            return (before, left)
        }
        if before > 0, after == 0 { onEnd() }
        return min(before, bytes)
    }
}

/// Forwards the data of one side at the pace of the other.
private final class ForwardingHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let other: any Channel
    private let budget: Budget

    init(to other: any Channel, _ budget: Budget) {
        self.other = other
        self.budget = budget
    }

    /// The handler is added before the client's connection is active.
    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let allowed = budget.consume(bytes.readableBytes)
        let (channel, isCut) = (context.channel, allowed < bytes.readableBytes)
        let part = bytes.getSlice(at: bytes.readerIndex, length: allowed) ?? bytes
        other.writeAndFlush(part).whenComplete { [other] result in
            if case .success = result, !isCut { return channel.read() }
            channel.close(promise: nil)
            other.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
