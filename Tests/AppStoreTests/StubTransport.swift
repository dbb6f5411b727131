import HTTPTypes
import NIOCore
import Synchronization
import Transport

/// A transport to one server with configurable responses. Records the requests.
final class StubTransport: HTTPTransport {
    struct Asked: Sendable {
        let method: HTTPRequest.Method
        let url: String
        let headers: HTTPFields
        let body: [UInt8]
    }

    typealias Answer = @Sendable (Asked) throws -> (status: Int, body: [UInt8])

    private let requests = Mutex<[Asked]>([])
    private let response: Mutex<Answer>

    init(_ response: @escaping Answer) { self.response = Mutex(response) }

    var asked: [Asked] { requests.withLock { $0 } }

    /// Replaces the response.
    func setResponse(_ response: @escaping Answer) { self.response.withLock { $0 = response } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.body { body = Array(bytes.readableBytesView) }
        let asked = Asked(method: request.method, url: request.url, headers: request.headers, body: body)
        requests.withLock { $0.append(asked) }
        do {
            let (status, body) = try response.withLock { $0 }(asked)
            let stream = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                continuation.yield(ByteBuffer(bytes: body))
                continuation.finish()
            }
            return TransportResponse(status: status, headers: [:], body: stream)
        } catch {
            throw .notSent("\(error)")
        }
    }
}
