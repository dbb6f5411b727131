import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import HTTPListener

/// How long a TLS handshake may take.
@Suite struct HandshakeTimeoutTests {
    private func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.pipeline.syncOperations.addHandler(HandshakeTimeoutHandler(.seconds(10)))
        return channel
    }

    @Test("a connection without a handshake is closed after the timeout")
    func slow() throws {
        let channel = try connection()
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("a connection with a handshake stays open")
    func completed() throws {
        let channel = try connection()
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        #expect(throws: ChannelPipelineError.self) {
            try channel.pipeline.syncOperations.handler(type: HandshakeTimeoutHandler.self)
        }
    }
}
