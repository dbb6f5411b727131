import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPListener

/// Clients that do not read their responses.
struct StalledOutputTests {
    private final class Output {
        var unsent = 0
    }

    private let output = Output()

    private func channel() throws -> EmbeddedChannel {
        let output = output
        let channel = EmbeddedChannel(handler: StalledOutputHandler(patience: .seconds(60)) { _ in output.unsent })
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func set(_ channel: EmbeddedChannel, writable: Bool) {
        channel.isWritable = writable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    @Test("a client that reads nothing is disconnected")
    func stalled() throws {
        let channel = try channel()
        output.unsent = 100
        set(channel, writable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("a client that reads slowly is not disconnected")
    func slow() throws {
        let channel = try channel()
        output.unsent = 1000
        set(channel, writable: false)
        for _ in 0..<100 {
            output.unsent -= 10
            channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(!channel.isActive)
    }

    @Test("a writable connection is not monitored")
    func idle() throws {
        let channel = try channel()
        for _ in 0..<100 {
            set(channel, writable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(59))
            set(channel, writable: true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(3600))
        }
        #expect(channel.isActive)
    }
}
