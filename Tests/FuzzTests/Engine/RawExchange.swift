import NIOCore
import NIOPosix

/// A connection of bare bytes.
enum RawExchange {
    /// Sends everything, says that there is no more, and reads what comes until the other side ends the connection.
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

    /// What was answered before the connection ended, in whatever way.
    private static func read(_ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>, after bytes: [UInt8]) async -> [UInt8]
    {
        let answer = Answer()
        try? await channel.executeThenClose { inbound, outbound in
            // Who refuses a request does not read it to its end.
            try? await outbound.write(ByteBuffer(bytes: bytes))
            outbound.finish()
            for try await part in inbound { answer.bytes += part.readableBytesView }
        }
        return answer.bytes
    }

    private final class Answer {
        var bytes: [UInt8] = []
    }
}
