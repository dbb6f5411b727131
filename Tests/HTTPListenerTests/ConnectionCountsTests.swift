import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPListener

/// The limits on a listener's connections.
@Suite struct ConnectionCountsTests {
    private func counts(_ most: Int, perAddress: Int) -> ConnectionCounts {
        ConnectionCounts(
            ConnectionLimits(
                connections: most, connectionsPerAddress: perAddress, isProxy: { $0.ipAddress == "10.0.0.1" },
                headerBytes: 1000, headerFields: 10, idleTime: .seconds(60),
                minimumBodyRate: .entireBody(within: .seconds(30))
            )
        )
    }

    /// Opens a connection and returns its channel, which is inactive if it was rejected.
    private func open(_ address: String, _ counts: ConnectionCounts) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionCountHandler(counts))
        try channel.connect(to: try SocketAddress(ipAddress: address, port: 4711)).wait()
        return channel
    }

    /// Opens connections in order and returns which of them were accepted.
    private func connect(_ addresses: [String], _ counts: ConnectionCounts) throws -> [Bool] {
        try addresses.map { try open($0, counts).isActive }
    }

    @Test("an address is limited to its own connections, and may replace closed ones")
    func perAddress() throws {
        let counts = counts(100, perAddress: 2)
        let first = try open("6.6.6.6", counts)
        let rest = try connect(["6.6.6.6", "6.6.6.6", "::ffff:6.6.6.6", "6.6.6.7"], counts)
        #expect(rest == [true, false, false, true])
        try first.close().wait()
        let again = try connect(["6.6.6.6", "6.6.6.6"], counts)
        #expect(again == [true, false])
    }

    @Test("an IPv6 client is identified by its /64")
    func networks() throws {
        let opened = try connect(["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"], counts(100, perAddress: 1))
        #expect(opened == [true, false, true])
    }

    @Test("a proxy's connections count only towards the total")
    func proxies() throws {
        let counts = counts(3, perAddress: 1)
        let first = try open("10.0.0.1", counts)
        let rest = try connect(["10.0.0.1", "10.0.0.1", "10.0.0.1", "6.6.6.6"], counts)
        #expect(rest == [true, true, false, false])
        try first.close().wait()
        let again = try connect(["6.6.6.6"], counts)
        #expect(again == [true])
    }
}
