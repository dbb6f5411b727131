import NIOCore
import NIOPosix

/// An HTTP client of a Unix domain socket.
package struct SocketClient: Sendable {
    private let path: String

    package init(_ path: String) { self.path = path }

    /// Sends a GET request, and returns the response up to the end of the connection.
    package func get(
        _ target: String, host: String = "localhost", headers: [String] = []
    ) async throws -> String {
        let lines = ["GET \(target) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers + ["", ""]
        return try await open { inbound, outbound in
            try await outbound.write(ByteBuffer(string: lines.joined(separator: "\r\n")))
            var response = ByteBuffer()
            for try await var part in inbound { response.writeBuffer(&part) }
            return String(buffer: response)
        }
    }

    /// Runs a closure while a connection is open on which nothing is sent.
    package func holdingConnection<Value: Sendable>(
        _ act: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await open { _, _ in try await act() }
    }

    private func open<Value: Sendable>(
        _ use:
            @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>)
            async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { try await use($0, $1) }
    }
}
