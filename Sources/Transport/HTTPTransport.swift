import HTTPTypes
import NIOCore

/// Sends one HTTP request and gives the answer's head and stream. Nothing here knows what is asked or why.
package protocol HTTPTransport: Sendable {
    /// Sends a request. Redirects are never followed: a 3xx is an answer like any other.
    /// - Throws: `TransportError`.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// One request.
package struct TransportRequest: Sendable {
    package var method: HTTPRequest.Method
    /// Absolute, already percent-encoded; sent as it stands, for signatures cover its bytes.
    package var url: String
    package var headers: HTTPFields
    package var body: Body
    /// How long the exchange up to the answer's head may take, and with `AnswerDeadline.total` its body, too.
    package var timeout: Duration
    /// How long the answer's body may take.
    package var answerDeadline: AnswerDeadline
    /// How long the other side may work before its answer begins without this counting as a stall.
    package var quietTime = Duration.zero
    /// The longest wait for the next bytes of the answer's body; `nil` sets no limit beside `answerDeadline`.
    package var longestSilence: Duration?

    package enum AnswerDeadline: Sendable, Equatable {
        /// The last byte of the answer arrives within `timeout` of the request's start.
        case total
        /// For bodies of any length: reads wait for `timeout` in all, and a second more for each `bytesPerSecond`
        /// received.
        case pace(bytesPerSecond: Int)
    }

    package enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Sent with `Content-Length`; a stream that gives another number of bytes fails the request.
        case stream(length: Int64, any AsyncSequence<ByteBuffer, any Error> & Sendable)
    }

    package init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: Body = .none,
        timeout: Duration = .seconds(30), answerDeadline: AnswerDeadline = .total
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.answerDeadline = answerDeadline
    }
}

/// The head of an answer and the stream behind it.
package struct TransportResponse: Sendable {
    package let status: Int
    package let headers: HTTPFields
    package let body: any AsyncSequence<ByteBuffer, any Error> & Sendable

    package init(status: Int, headers: HTTPFields, body: any AsyncSequence<ByteBuffer, any Error> & Sendable) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The whole body, when it has at most `limit` bytes.
    /// - Throws: `TransportError.tooLarge`, or `connectionLost` when the stream breaks.
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

/// Why an exchange failed. The difference that matters: may the other side have acted?
package enum TransportError: Error, Equatable, Sendable {
    /// The request never left: nothing was done.
    case notSent(String)
    /// The connection broke or timed out after the request was on its way: the outcome is unknown.
    case connectionLost(String)
    /// No answer arrived within this time after the request was on its way: the outcome is unknown.
    case noAnswer(after: Duration)
    /// The answer is larger than allowed.
    case tooLarge
}
