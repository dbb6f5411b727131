import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Transport

/// Answers requests from a script and records them.
final class FakeTransport: HTTPTransport {
    struct RecordedRequest: Sendable {
        let method: String
        let url: String
        let headers: HTTPFields
        let body: String?
        let timeout: Duration
        let answerDeadline: TransportRequest.ResponseDeadline
    }

    enum Reply: Sendable {
        case response(Int, [String: String] = [:], String = "")
        case notSent
        case lost
        /// The response header arrives and the body is interrupted.
        case brokenBody(Int, [String: String])
    }

    private let replies: Mutex<[Reply]>
    private let log = Mutex<[RecordedRequest]>([])

    init(_ replies: [Reply]) { self.replies = Mutex(replies) }

    var requests: [RecordedRequest] { log.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let reply = replies.withLock { $0.isEmpty ? .lost : $0.removeFirst() }
        if case .notSent = reply {
            record(request, nil)
            throw .notSent("refused")
        }
        record(request, try await text(of: request.body))
        switch reply {
        case .notSent, .lost: throw .connectionLost("reset")
        case .response(let status, let headers, let body):
            return TransportResponse(status: status, headers: fields(headers), body: stream([body], breaking: false))
        case .brokenBody(let status, let headers):
            return TransportResponse(status: status, headers: fields(headers), body: stream(["half"], breaking: true))
        }
    }

    private func record(_ request: TransportRequest, _ body: String?) {
        let seen = RecordedRequest(
            method: request.method.rawValue, url: request.url, headers: request.headers, body: body,
            timeout: request.timeout, answerDeadline: request.responseDeadline)
        log.withLock { $0.append(seen) }
    }

    private func text(of body: TransportRequest.Body) async throws(TransportError) -> String? {
        switch body {
        case .none: return nil
        case .bytes(let bytes): return String(buffer: bytes)
        case .stream(_, let chunks):
            var collected = ByteBuffer()
            do {
                for try await var chunk in chunks { collected.writeBuffer(&chunk) }
            } catch {
                throw .connectionLost("the body failed")
            }
            return String(buffer: collected)
        }
    }

    private func fields(_ headers: [String: String]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        return fields
    }

    private func stream(_ parts: [String], breaking: Bool) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { continuation in
            for part in parts where !part.isEmpty { continuation.yield(ByteBuffer(string: part)) }
            continuation.finish(throwing: breaking ? TransportError.connectionLost("cut") : nil)
        }
    }
}

extension FakeTransport.Reply {
    static func error(_ status: Int, _ code: String, _ headers: [String: String] = [:]) -> Self {
        .response(status, headers, "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>x</Message></Error>")
    }

    /// Returns a page of a listing.
    static func page(
        _ keys: [String], truncated: Bool = false, encoding: String = "<EncodingType>url</EncodingType>"
    ) -> Self {
        let contents = keys.map { key in
            "<Contents><Key>\(key)</Key><LastModified>2024-05-01T12:00:00.000Z</LastModified>"
                + "<ETag>&quot;e&quot;</ETag><Size>12</Size><StorageClass>STANDARD</StorageClass></Contents>"
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>\(encoding)
            <IsTruncated>\(truncated)</IsTruncated>\(contents.joined())</ListBucketResult>
            """
        return .response(200, [:], text)
    }

    static let stored = Self.response(200, ["ETag": "\"abc\"", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
}
