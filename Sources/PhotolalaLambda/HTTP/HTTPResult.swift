import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JSONCoding
import NIOCore
import PhotolalaAPI

/// A response in the payload format 2.0.
struct HTTPResult: Encodable {
    private let statusCode: Int
    private let headers: [String: String]
    private let cookies: [String]?
    private let body: String
    private let isBase64Encoded: Bool

    /// The error of a body that does not fit into an answer.
    struct TooLarge: Error {}

    /// Returns a complete response as an answer.
    /// - Throws: `TooLarge`, or the error of the body's source.
    static func answer(_ response: Response) async throws -> ByteBuffer {
        let collected = CollectedResponse()
        try await response.body.write(collected)
        let bytes = ByteBuffer(bytes: try CompactJSON.encode(HTTPResult(response, collected.bytes)))
        guard bytes.readableBytes <= PayloadLimit.bytes else { throw TooLarge() }
        return bytes
    }

    /// Returns a problem document as an answer.
    static func answer(_ problem: Problem, retryAfter: Int?) throws -> ByteBuffer {
        let body = ByteBuffer(bytes: try CompactJSON.encode(problem))
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        let response = Response(status: .init(code: problem.status), headers: headers)
        return ByteBuffer(bytes: try CompactJSON.encode(HTTPResult(response, body)))
    }

    private init(_ response: Response, _ bytes: ByteBuffer) {
        statusCode = response.status.code
        var fields: [String: [String]] = [:]
        for field in response.headers where !Self.excluded.contains(field.name) {
            fields[field.name.canonicalName, default: []].append(field.value)
        }
        headers = fields.mapValues { $0.joined(separator: ", ") }
        let set = response.headers[values: .setCookie]
        cookies = set.isEmpty ? nil : set
        if let text = String(validating: bytes.readableBytesView, as: UTF8.self) {
            (body, isBase64Encoded) = (text, false)
        } else {
            (body, isBase64Encoded) = (Data(bytes.readableBytesView).base64EncodedString(), true)
        }
    }

    /// The fields that AWS sets itself, and cookies, which it takes separately.
    private static let excluded: Set<HTTPField.Name> = [
        .setCookie, .contentLength, .connection, .transferEncoding, .trailer,
    ]
}

/// Collects the body of a response up to the limit of an answer, so that a stream of any length costs no more memory.
private final class CollectedResponse: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        guard bytes.readableBytes + buffer.readableBytes <= PayloadLimit.bytes else { throw HTTPResult.TooLarge() }
        bytes.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
