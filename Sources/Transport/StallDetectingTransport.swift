import NIOCore

/// Sends requests through another transport and ends each one on which no byte was sent or received for some time.
///
/// A host that stays silent over several requests counts as stalled: further requests to it fail immediately, unsent,
/// so that callers with retries end soon. After a pause it is contacted again.
package struct StallDetectingTransport: HTTPTransport {
    /// Larger bodies are sent in pieces of this many bytes, so that their progress is visible.
    private static let pieceLength = 256 << 10

    private let base: any HTTPTransport
    private let limit: Duration
    private let clock: TransportClock
    private let activity: HostActivity
    private let deadlines: Deadlines

    /// - Parameters:
    ///   - base: Reports its own failures.
    ///   - limit: The maximum time without a transferred byte, in addition to a request's `quietTime`.
    ///   - clock: Must not count the time that the machine is asleep, or every request fails when it wakes.
    package init(_ base: any HTTPTransport, limit: Duration, clock: TransportClock = .awake) {
        self.base = base
        self.limit = limit
        self.clock = clock
        activity = HostActivity(limit: limit)
        deadlines = Deadlines(clock)
    }

    /// How long requests have been waiting without a transferred byte on any of them, or a stalled host has been
    /// silent; `nil` if neither applies.
    package var stallDuration: Duration? { activity.stallDuration(at: clock.now()) }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let exchange = try activity.begin(Self.host(of: request.url), at: clock.now())
        var watched = request
        watched.body = observe(request.body, exchange)
        watched.idleTimeout = limit
        let (base, outgoing, clock, patience) = (base, watched, clock, limit + request.processingTime)
        exchange.beginWaiting(at: clock.now())
        let sending = Task { () -> Result<TransportResponse, TransportError> in
            do throws(TransportError) { return .success(try await base.send(outgoing)) } catch {
                return .failure(error)
            }
        }
        let watch = deadlines.watch(clock.now() + patience) {
            let now = clock.now()
            if let pause = exchange.timeLeft(of: patience, at: now) { return now + pause }
            sending.cancel()
            return nil
        }
        let result = await withTaskCancellationHandler {
            await sending.value
        } onCancel: {
            sending.cancel()
        }
        deadlines.remove(watch)
        switch result {
        case .success(let response):
            exchange.recordReceived(at: clock.now())
            let body = ObservedResponseBody(body: response.body, exchange: exchange, clock: clock)
            return TransportResponse(status: response.status, headers: response.headers, body: body)
        case .failure(.serverNotTrusted(let reason)):
            // It responded, so the next request reports the same reason and not a silent host.
            exchange.recordReceived(at: clock.now())
            throw .serverNotTrusted(reason)
        case .failure(let error):
            if Task.isCancelled { exchange.cancel() } else { exchange.recordFailure(at: clock.now()) }
            throw exchange.isStalled ? .noResponse(after: patience) : error
        }
    }

    private func observe(_ body: TransportRequest.Body, _ exchange: HostActivity.Exchange) -> TransportRequest.Body {
        switch body {
        case .none: return .none
        case .bytes(let bytes):
            guard bytes.readableBytes > Self.pieceLength else { return body }
            let pieces = SlicedBody(bytes: bytes, length: Self.pieceLength)
            return .stream(
                length: Int64(bytes.readableBytes), ObservedRequestBody(body: pieces, exchange: exchange, clock: clock))
        case .stream(let length, let chunks):
            return .stream(length: length, ObservedRequestBody(body: chunks, exchange: exchange, clock: clock))
        }
    }

    /// Returns scheme, host and port as written in the URL.
    private static func host(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}

/// Bytes in memory as a stream of slices, without copying.
private struct SlicedBody: AsyncSequence, Sendable {
    typealias Failure = any Error

    let bytes: ByteBuffer
    let length: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var remaining: ByteBuffer
        let length: Int

        mutating func next() async throws -> ByteBuffer? {
            remaining.readableBytes > 0 ? remaining.readSlice(length: Swift.min(length, remaining.readableBytes)) : nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(remaining: bytes, length: length) }
}

/// A request's body. A piece is requested when the previous ones have been sent, so each one shows progress. The time
/// that its source takes is not counted as waiting for the host.
private struct ObservedRequestBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    let body: any AsyncSequence<ByteBuffer, any Error> & Sendable
    let exchange: HostActivity.Exchange
    let clock: TransportClock

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>
        let exchange: HostActivity.Exchange
        let clock: TransportClock

        mutating func next() async throws -> ByteBuffer? {
            exchange.recordSent(at: clock.now())
            defer { exchange.resume(at: clock.now()) }
            return try await chunks.next(isolation: nil)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), exchange: exchange, clock: clock)
    }
}

/// A response's body. The underlying transport ends a read that waits too long.
private struct ObservedResponseBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    let body: any AsyncSequence<ByteBuffer, any Error> & Sendable
    let exchange: HostActivity.Exchange
    let clock: TransportClock

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>
        let exchange: HostActivity.Exchange
        let clock: TransportClock

        mutating func next() async throws -> ByteBuffer? {
            exchange.beginWaiting(at: clock.now())
            do {
                let chunk = try await chunks.next(isolation: nil)
                exchange.recordReceived(at: clock.now())
                return chunk
            } catch {
                if Task.isCancelled { exchange.cancel() } else { exchange.recordFailure(at: clock.now()) }
                throw error
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), exchange: exchange, clock: clock)
    }
}
