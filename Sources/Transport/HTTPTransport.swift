import HTTPTypes
import NIOCore

/// Sends one HTTP request and returns the response's header and body stream, independent of the application protocol.
package protocol HTTPTransport: Sendable {
    /// Sends a request. Redirects are never followed: a 3xx is a response like any other.
    /// - Throws: `TransportError`.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// An HTTP request.
package struct TransportRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The absolute, percent-encoded URL; sent unchanged, because signatures cover its bytes.
    package var url: String
    package var headers: HTTPFields
    package var body: Body
    /// The time limit until the response header is received, and with `ResponseDeadline.total` until the end of its
    /// body.
    package var timeout: Duration
    /// The time limit for the response body.
    package var responseDeadline: ResponseDeadline
    /// How long the server may take before its response starts without this counting as a stall.
    package var processingTime = Duration.zero
    /// The maximum wait for the next bytes of the response body; `nil` sets no limit other than `answerDeadline`.
    package var idleTimeout: Duration?
    /// If set, `send` returns when up to this many bytes of the body were collected, within the same deadlines; the body
    /// throws a failure to do so. For small responses: the caller is resumed only once. Ignored with an `idleTimeout`,
    /// whose caller must see each chunk, and for a streamed request.
    package var collectedLength: Int?

    package enum ResponseDeadline: Sendable, Equatable {
        /// The last byte of the response arrives within `timeout` of the request's start.
        case total
        /// For bodies of any length: reads wait for `timeout` in total, plus one second for each `bytesPerSecond`
        /// received.
        case minimumRate(bytesPerSecond: Int)
    }

    package enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Sent with `Content-Length`; a stream of another length fails the request.
        case stream(length: Int64, any AsyncSequence<ByteBuffer, any Error> & Sendable)
    }

    package init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: Body = .none,
        timeout: Duration = .seconds(30), answerDeadline: ResponseDeadline = .total, collectedLength: Int? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.responseDeadline = answerDeadline
        self.collectedLength = collectedLength
    }
}

/// The header of a response and its body stream.
package struct TransportResponse: Sendable {
    package let status: Int
    package let headers: HTTPFields
    package let body: any AsyncSequence<ByteBuffer, any Error> & Sendable

    package init(status: Int, headers: HTTPFields, body: any AsyncSequence<ByteBuffer, any Error> & Sendable) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Collects the body if it has at most `limit` bytes.
    /// - Throws: `TransportError.tooLarge`, or `connectionLost` if the stream fails.
    package func collect(limit: Int) async throws(TransportError) -> ByteBuffer {
        var collected = ByteBuffer()
        do {
            for try await var chunk in body {
                guard collected.readableBytes + chunk.readableBytes <= limit else { throw TransportError.tooLarge }
                collected.writeBuffer(&chunk)
            }
        } catch let error as TransportError {
            throw error
        } catch {
            throw .connectionLost("\(error)")
        }
        return collected
    }
}

/// The failure of an exchange. The cases differ in whether the server may have acted on the request.
package enum TransportError: Error, Equatable, Sendable {
    /// The request was not sent: nothing was done.
    case notSent(String)
    /// The server's certificate is not trusted, or its public key is not pinned: nothing was done.
    case serverNotTrusted(String)
    /// The connection failed or timed out after the request was sent: the outcome is unknown.
    case connectionLost(String)
    /// No answer arrived within this time after the request was on its way: the outcome is unknown.
    case noResponse(after: Duration)
    /// The answer is larger than allowed.
    case tooLarge
}
