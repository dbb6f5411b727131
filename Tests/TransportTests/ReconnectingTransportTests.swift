import HTTPTypes
import NIOCore
import Synchronization
import Testing
import Transport

/// Replacing the connections of a process that was frozen.
@Suite struct ReconnectingTransportTests {
    /// A transport that counts, and whose connections are dead after `freeze`.
    private final class Connections: ClosableTransport {
        private let state = Mutex((sent: 0, isDead: false, isClosed: false))

        var sent: Int { state.withLock { $0.sent } }
        var isClosed: Bool { state.withLock { $0.isClosed } }
        func freeze() { state.withLock { $0.isDead = true } }
        func shutdown() async throws(TransportError) { state.withLock { $0.isClosed = true } }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let isDead = state.withLock { state in
                state.sent += 1
                return state.isDead
            }
            guard !isDead else { throw .connectionLost("reset by peer") }
            return TransportResponse(
                status: 200, headers: [:], body: AsyncThrowingStream<ByteBuffer, any Error> { $0.finish() })
        }
    }

    @Test func `after a freeze, requests use new connections and the dead ones are closed`() async throws {
        let (first, second) = (Connections(), Connections())
        let made = Mutex([first, second])
        let transport = ReconnectingTransport { made.withLock { $0.removeFirst() } }
        let request = TransportRequest(method: .get, url: "http://127.0.0.1/")
        #expect(try await transport.send(request).status == 200)
        first.freeze()
        await #expect(throws: TransportError.connectionLost("reset by peer")) { try await transport.send(request) }
        await transport.reconnect()
        #expect(first.isClosed && !second.isClosed)
        #expect(try await transport.send(request).status == 200)
        #expect(first.sent == 2 && second.sent == 1)
        try await transport.shutdown()
        #expect(second.isClosed)
    }
}
