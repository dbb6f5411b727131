import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Transport

/// Returns the configured response to every request and counts the requests.
final class CountingTransport: HTTPTransport {
    private struct State {
        var count = 0
        var lostConnections = 0
        var response: @Sendable () throws(TransportError) -> (Int, HTTPFields, Data)
    }

    private let state: Mutex<State>
    private let beforeAnswering: @Sendable () async -> Void

    init(body: Data, beforeAnswering: @escaping @Sendable () async -> Void = {}) {
        state = Mutex(State(response: { () throws(TransportError) in (200, [.contentType: "application/json"], body) }))
        self.beforeAnswering = beforeAnswering
    }

    var count: Int { state.withLock { $0.count } }

    func respond(_ status: Int = 200, headers: HTTPFields = [:], body: Data) {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        let complete = headers
        state.withLock { $0.response = { () throws(TransportError) in (status, complete, body) } }
    }

    /// Fails the next requests after they were sent.
    func loseConnections(_ count: Int) { state.withLock { $0.lostConnections = count } }

    func fail() {
        state.withLock { $0.response = { () throws(TransportError) in throw .notSent("refused") } }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let (response, isLost) = state.withLock { state in
            state.count += 1
            state.lostConnections -= 1
            return (state.response, state.lostConnections >= 0)
        }
        guard !isLost else { throw .connectionLost("closed") }
        await beforeAnswering()
        let (status, headers, body) = try response()
        return TransportResponse(
            status: status, headers: headers,
            body: AsyncThrowingStream { continuation in
                continuation.yield(ByteBuffer(bytes: body))
                continuation.finish()
            }
        )
    }
}
