import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPListener

struct StalledOutputTests {
    @Test("A client that takes nothing is left in the end, and one that takes its answers slowly is not")
    func stalled() throws {
        let channel = EmbeddedChannel(handler: StalledOutputHandler(patience: .seconds(60)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        func set(writable: Bool) {
            channel.isWritable = writable
            channel.pipeline.fireChannelWritabilityChanged()
        }
        for _ in 0..<100 {
            set(writable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(59))
            set(writable: true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(3600))
        }
        #expect(channel.isActive)
        set(writable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(!channel.isActive)
    }
}
