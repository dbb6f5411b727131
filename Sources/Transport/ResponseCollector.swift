import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends one request and collects its response on the connection's event loop, so that the caller is resumed once.
final class ResponseCollector: HTTPClientResponseDelegate {
    private struct State {
        var head: HTTPResponseHead?
        var body = ByteBuffer()
        var deadline: CollectionDeadline
        var deadlineID: Int?
    }

    private let request: TransportRequest
    private let limit: Int
    private let deadlines: Deadlines
    private let state: Mutex<State>

    /// - Parameter limit: The body's largest length in bytes.
    init(_ request: TransportRequest, limit: Int, _ deadlines: Deadlines) {
        self.request = request
        self.limit = limit
        self.deadlines = deadlines
        state = Mutex(State(deadline: CollectionDeadline(request, start: deadlines.clock.now())))
    }

    /// - Throws: The client's errors, and `Deadlines.Exceeded`, before the response's header is received.
    func run(on client: HTTPClient) async throws -> TransportResponse {
        let task = client.execute(request: try outgoing(), delegate: self)
        let id = state.withLock { state in
            let id = deadlines.add(state.deadline.time) { task.fail(reason: Deadlines.Exceeded()) }
            state.deadlineID = id
            return id
        }
        defer { deadlines.remove(id) }
        do {
            try await withTaskCancellationHandler {
                try await task.get()
            } onCancel: {
                task.cancel()
            }
            return response(nil)
        } catch {
            guard state.withLock({ $0.head != nil }) else { throw error }
            switch error {
            case is Deadlines.Exceeded: return response(.connectionLost("deadline exceeded"))
            case let error as TransportError: return response(error)
            default: return response(.connectionLost("\(error)"))
            }
        }
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        state.withLock { state in
            state.head = head
            state.deadline.receiveHeader(at: deadlines.clock.now())
            if let id = state.deadlineID { deadlines.move(id, to: state.deadline.time) }
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let isTooLarge = state.withLock { state in
            guard state.body.readableBytes + buffer.readableBytes <= limit else { return true }
            var buffer = buffer
            let count = buffer.readableBytes
            // A single part, the usual case, is not copied.
            if state.body.readableBytes == 0 { state.body = buffer } else { state.body.writeBuffer(&buffer) }
            state.deadline.receive(count, at: deadlines.clock.now())
            if let id = state.deadlineID { deadlines.move(id, to: state.deadline.time) }
            return false
        }
        guard !isTooLarge else { return task.eventLoop.makeFailedFuture(TransportError.tooLarge) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}

    private func outgoing() throws -> HTTPClient.Request {
        var headers = HTTPHeaders()
        for field in request.headers { headers.add(name: field.name.rawName, value: field.value) }
        var body: HTTPClient.Body?
        if case .bytes(let bytes) = request.body { body = .byteBuffer(bytes) }
        return try HTTPClient.Request(
            url: request.url, method: HTTPMethod(rawValue: request.method.rawValue), headers: headers, body: body)
    }

    /// - Parameter error: Why the body ended early.
    private func response(_ error: TransportError?) -> TransportResponse {
        let (head, body) = state.withLock { ($0.head, $0.body) }
        return TransportResponse(
            status: Int(head?.status.code ?? 0), headers: HTTPFields(received: head?.headers ?? HTTPHeaders()),
            body: CollectedBody(bytes: body, error: error))
    }
}

/// When a request whose response is collected must have made progress: at first the deadline of the response's header.
struct CollectionDeadline {
    private let request: TransportRequest
    private(set) var time: Duration

    init(_ request: TransportRequest, start: Duration) {
        self.request = request
        time = start + request.timeout
    }

    mutating func receiveHeader(at now: Duration) {
        if case .minimumRate = request.responseDeadline { time = now + request.timeout }
    }

    /// Moves the deadline after a number of the body's bytes was received.
    mutating func receive(_ count: Int, at now: Duration) {
        guard case .minimumRate(let rate) = request.responseDeadline else { return }
        time = min(now + request.timeout, time + .seconds(Double(count) / Double(max(1, rate))))
    }
}
