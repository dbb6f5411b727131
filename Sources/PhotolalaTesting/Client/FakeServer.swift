import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import Synchronization
import Transport

/// Responds to requests from a script and records them.
package final class FakeServer: HTTPTransport {
    package typealias Response = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    private let script: Mutex<[String: [Response]]>
    private let received = Mutex<[TransportRequest]>([])

    /// - Parameter script: The responses for each `METHOD /path`, in order; the last one repeats.
    package init(_ script: [String: [Response]]) { self.script = Mutex(script) }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        received.withLock { $0.append(request) }
        let path = "/" + request.url.split(separator: "/", maxSplits: 2).dropFirst(2).joined()
        let call = "\(request.method.rawValue) \(path)"
        let response: Response? = script.withLock { script in
            guard let answers = script[call], let first = answers.first else { return nil }
            if answers.count > 1 { script[call]?.removeFirst() }
            return first
        }
        guard let response else { throw .notSent("no response for \(call)") }
        return try await response(request)
    }

    /// Returns the requests to a path, in order.
    package func requests(_ path: String) -> [TransportRequest] {
        received.withLock { $0.filter { $0.url.hasSuffix(path) } }
    }

    /// The number of requests.
    package var count: Int { received.withLock { $0.count } }

    package static func json(_ value: some Encodable & Sendable, status: Int = 200) -> Response {
        { _ in
            .text(encoded(value), status: status, type: "application/json")
        }
    }

    package static func problem(_ code: ErrorCode, _ status: Int, pending: String? = nil, retryAfter: String? = nil)
        -> Response
    {
        { _ in
            let problem = Problem(
                title: "Problem", status: status, detail: "about \(code)", code: code, requestID: "r-1",
                pendingIdentity: pending, pendingIdentityExpiresAt: pending.map { _ in ClientFixture.start + 600 },
                hints: pending.map { _ in [AccountHint(provider: .apple)] }
            )
            return .text(
                encoded(problem), status: status, type: "application/problem+json",
                more: retryAfter.map { [.retryAfter: $0] } ?? [:]
            )
        }
    }

    /// Opens a gate on arrival and responds when another gate opens.
    package static func delayed(_ asked: Gate, until gate: Gate, _ response: @escaping Response) -> Response {
        @Sendable func hold(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            asked.open()
            await gate.wait()
            return try await response(request)
        }
        return hold
    }

    /// Loses the response after the given number of seconds.
    package static func lost(after seconds: Double, on clock: TestClock) -> Response {
        @Sendable func lose(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            clock.advance(by: seconds)
            return try await lost(request)
        }
        return lose
    }

    package static let lost: Response = { _ throws(TransportError) in throw .connectionLost("broke") }
    package static let nothing: Response = { _ in .text("", status: 204, type: "") }

    private static func encoded(_ value: some Encodable) -> String {
        (try? WireJSON.encoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension TransportResponse {
    package static func text(_ text: String, status: Int, type: String, more: HTTPFields = [:]) -> TransportResponse {
        var headers = more
        headers[.contentType] = type
        let body = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            if !text.isEmpty { continuation.yield(ByteBuffer(string: text)) }
            continuation.finish()
        }
        return TransportResponse(status: status, headers: headers, body: body)
    }
}

extension TransportRequest {
    package var text: String {
        if case .bytes(let bytes) = body { String(buffer: bytes) } else { "" }
    }
}
