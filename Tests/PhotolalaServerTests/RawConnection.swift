import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A raw TCP connection.
enum RawConnection {
    /// Sends `first`, sends `second` after the first response data, and reads to the end of the connection.
    static func exchange(port: Int, _ first: String, _ second: String? = nil) async throws -> String {
        try await connect(port).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: first))
            var waiting = second
            var response = ByteBuffer()
            for try await var bytes in inbound {
                response.writeBuffer(&bytes)
                if let next = waiting {
                    waiting = nil
                    try await outbound.write(ByteBuffer(string: next))
                }
            }
            return String(buffer: response)
        }
    }

    /// Runs a closure while a connection is open that has received a response.
    static func holding<Value: Sendable>(
        port: Int, _ request: String, _ act: @Sendable () async throws -> Value
    ) async throws -> Value {
        let result = Mutex<Value?>(nil)
        do {
            try await connect(port).executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                for try await _ in inbound { break }
                let value = try await act()
                result.withLock { $0 = value }
            }
        } catch {
            // The server may reset a connection that is being closed.
            guard result.withLock({ $0 != nil }) else { throw error }
        }
        return try #require(result.withLock { $0 })
    }

    /// Sends a request, and closes the connection without a response once a closure returns.
    static func abandoning(port: Int, _ request: String, _ act: @Sendable () async throws -> Void) async throws {
        try await connect(port).executeThenClose { _, outbound in
            try await outbound.write(ByteBuffer(string: request))
            try await act()
        }
    }

    private static func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }
}
