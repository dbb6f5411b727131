import Synchronization

/// A transport whose connections can be closed.
package protocol ClosableTransport: HTTPTransport {
    /// Closes the connections.
    func shutdown() async throws(TransportError)
}

/// HTTP whose kept connections can be replaced: after a freeze of the process, servers have closed them, and a request on
/// one would fail with an unknown outcome.
package final class ReconnectingTransport: ClosableTransport {
    private let make: @Sendable () -> any ClosableTransport
    private let current: Mutex<any ClosableTransport>

    /// - Parameter make: Creates a transport without connections.
    package init(_ make: @escaping @Sendable () -> any ClosableTransport = { AsyncHTTPTransport() }) {
        self.make = make
        current = Mutex(make())
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await current.withLock { $0 }.send(request)
    }

    /// Closes all connections; the next requests open new ones. No request may be in progress.
    package func reconnect() async {
        let fresh = make()
        let stale = current.withLock { current in
            defer { current = fresh }
            return current
        }
        try? await stale.shutdown()
    }

    package func shutdown() async throws(TransportError) { try await current.withLock { $0 }.shutdown() }
}
