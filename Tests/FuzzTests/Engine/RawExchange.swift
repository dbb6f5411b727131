import NIOCore
import NIOPosix

/// A raw TCP connection.
enum RawExchange {
    /// Sends all bytes, closes the sending side, and reads until the other side closes the connection.
    static func send(_ bytes: [UInt8], port: Int) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return await read(channel, after: bytes)
    }

    /// Returns the bytes received before the connection ended, however it ended.
    private static func read(_ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>, after bytes: [UInt8]) async -> [UInt8]
    {
        let response = Response()
        try? await channel.executeThenClose { inbound, outbound in
            // A server that rejects a request does not read it to its end.
            try? await outbound.write(ByteBuffer(bytes: bytes))
            outbound.finish()
            for try await part in inbound { response.bytes += part.readableBytesView }
        }
        return response.bytes
    }

    private final class Response {
        var bytes: [UInt8] = []
    }
}
