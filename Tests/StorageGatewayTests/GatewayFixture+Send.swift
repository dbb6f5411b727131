import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import S3Protocol
import Testing

@testable import StorageGateway

/// A response with its body.
struct CollectedResponse: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: ByteBuffer

    var text: String { String(buffer: body) }
    /// The code of an S3 error.
    var code: String? {
        guard let start = text.firstRange(of: "<Code>"), let end = text.firstRange(of: "</Code>") else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    /// Returns the text of all elements with a name.
    func values(_ name: String) -> [String] {
        text.components(separatedBy: "<\(name)>").dropFirst().map { $0.components(separatedBy: "</\(name)>")[0] }
    }
}

extension GatewayFixture {
    /// Signs a request and returns the in-process response. `path` is percent-encoded as sent.
    func send(
        _ method: String, _ path: String, query: String = "", headers: [String: String] = [:], body: [ByteBuffer] = [],
        as credentials: AWSCredentials? = nil, payload: PayloadHash? = nil, at date: Date? = nil,
        framing: ((SignedRequest) -> [ByteBuffer])? = nil
    ) async throws -> CollectedResponse {
        var fields = try Self.fields(headers)
        let whole = body.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
        let hash = payload ?? .of(Data(whole.readableBytesView))
        if method == "PUT" || method == "POST", fields[.contentLength] == nil, !hash.isStreaming {
            fields[.contentLength] = String(whole.readableBytes)
        }
        let request = SignableRequest(method: method, host: "127.0.0.1:9000", path: path, query: query, headers: fields)
        let signer = RequestSigner(
            credentials: try credentials ?? self.credentials(), region: "us-east-1", service: "s3",
            pathNormalization: .none
        )
        let signed = signer.sign(request, payload: hash, at: date ?? time.now)
        fields.append(contentsOf: signed.headers)
        return try await sendRaw(method, path, query: query, fields: fields, body: framing?(signed) ?? body)
    }

    /// Returns the response to a request sent unchanged.
    func sendRaw(
        _ method: String, _ path: String, query: String = "", fields: HTTPFields, body: [ByteBuffer] = [],
        host: String = "127.0.0.1:9000"
    ) async throws -> CollectedResponse {
        let head = HTTPRequest(
            method: try #require(HTTPRequest.Method(method)), scheme: "http", authority: host,
            path: query.isEmpty ? path : "\(path)?\(query)", headerFields: fields
        )
        let stream = AsyncStream<ByteBuffer> { continuation in
            for buffer in body { continuation.yield(buffer) }
            continuation.finish()
        }
        let response = await responder().handle(Request(head: head, body: RequestBody(asyncSequence: stream))) {}
        let collector = BodyCollector()
        try await response.body.write(collector)
        return CollectedResponse(status: response.status.code, headers: response.headers, body: collector.bytes)
    }

    /// Sends a presigned request with only the given headers.
    func sendPresigned(
        _ method: String, _ path: String, query: String = "", expires: Int = 600, headers: [String: String] = [:],
        body: String = "", changing: (String) -> String = { $0 }
    ) async throws -> CollectedResponse {
        let signer = RequestSigner(
            credentials: try credentials(), region: "us-east-1", service: "s3", pathNormalization: .none)
        let request = SignableRequest(method: method, host: "127.0.0.1:9000", path: path, query: query)
        let signed = signer.presignedQuery(request, expires: expires, at: time.now)
        time.advance(Double(headers["x-test-wait"] ?? "0") ?? 0)
        var fields = try Self.fields(headers.filter { $0.key != "x-test-wait" })
        if method == "PUT" { fields[.contentLength] = String(body.utf8.count) }
        return try await sendRaw(
            method, path, query: changing(signed), fields: fields, body: [ByteBuffer(string: body)])
    }

    static func fields(_ headers: [String: String]) throws -> HTTPFields {
        var fields: HTTPFields = [:]
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }

    /// Returns the path of one of Ada's objects.
    static func path(_ name: String, of folder: String = "photos") -> String { "/\(bucket)/\(folder)/\(ada)/\(name)" }
}

final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
