import HTTPListener
import HTTPTypes
import Hummingbird
import JSONCoding
import NIOCore
import PhotolalaAPI

/// Reads JSON bodies up to a size limit and writes JSON responses.
struct JSONExchange: Sendable {
    /// The largest accepted body, in bytes.
    let limit: Int

    /// Decodes a body, calls the use case and encodes its result.
    /// - Parameter absent: The value for an empty body. Without it, a body is required.
    func respond<Body: Decodable & Sendable, Answer: Encodable>(
        to request: Request, _ context: ServerContext, status: (Answer) -> HTTPResponse.Status = { _ in .ok },
        absent: Body? = nil, _ flow: (Body) async throws -> Answer
    ) async throws -> Response {
        let body = try decode(Body.self, try await collect(request, context), of: request, absent: absent)
        let answer = try await flow(body)
        return try Self.encode(answer, status: status(answer))
    }

    /// Encodes a response. `EmptyBody` becomes 204.
    static func encode(_ answer: some Encodable, status: HTTPResponse.Status) throws -> Response {
        guard !(answer is EmptyBody) else { return Response(status: .noContent) }
        return Response(
            status: status, headers: [.contentType: MediaType.json, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try CompactJSON.encode(answer)))
        )
    }

    /// Decodes a collected body. A call with the body type `EmptyBody` ignores the bytes.
    func decode<Body: Decodable & Sendable>(
        _ type: Body.Type, _ bytes: ByteBuffer, of request: Request, absent: Body? = nil
    ) throws -> Body {
        if let nothing = EmptyBody() as? Body { return nothing }
        guard bytes.readableBytes > 0 else {
            // An empty body must not decode as `{}`: that would clear a profile.
            guard let absent else { throw InvalidRequest(explanation: "The body is missing.") }
            return absent
        }
        guard let sent = request.headers[.contentType].flatMap(MediaType.init), sent.isUTF8(MediaType.json) else {
            throw HTTPError(.unsupportedMediaType)
        }
        return try Self.decode(type, bytes)
    }

    /// Decodes JSON, and describes what is wrong with it.
    static func decode<Body: Decodable>(_ type: Body.Type, _ bytes: ByteBuffer) throws -> Body {
        do {
            return try CompactJSON.decode(type, from: Array(bytes.readableBytesView), strictDates: true)
        } catch let error as DecodingError {
            throw InvalidRequest(explanation: Self.explain(error))
        }
    }

    /// Returns the body, subject to the connection's rate and timeout limits. Checks `Content-Length` first, so that an
    /// oversized body is rejected before any of it is read.
    func collect(_ request: Request, _ context: ServerContext) async throws -> ByteBuffer {
        // The HTTP decoder accepts only digits, so a value that is no `Int` exceeds `Int.max`.
        if let length = request.headers[.contentLength], Int(length) ?? .max > limit {
            throw HTTPError(.contentTooLarge)
        }
        if request.head.expectsContinue { try await context.sendContinue() }
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch is BodyTooSlow {
            throw HTTPError(.requestTimeout)
        } catch {
            // Broken framing, or the client disconnected.
            throw HTTPError(.badRequest)
        }
    }

    /// Describes a decoding error for the client, without any value of the body.
    private static func explain(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.isEmpty ? "The body" : context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            let parents = context.codingPath.map { $0.stringValue + "." }.joined()
            return "\(parents)\(key.stringValue) is missing."
        case .valueNotFound(_, let context): return "\(path(context)) is null."
        case .typeMismatch(_, let context): return "\(path(context)) has the wrong type."
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            switch context.underlyingError as? JSONError {
            case .repeatedName: return "The body repeats a member name."
            case .nameTooLong: return "A member name of the body has more than 1,200 bytes."
            case .tooDeep: return "The body is nested too deeply."
            case .notJSON, nil: return "The body is not valid JSON."
            }
        case .dataCorrupted(let context): return "\(path(context)) has an invalid value."
        @unknown default: return "The body has an unexpected structure."
        }
    }
}

/// A malformed request.
struct InvalidRequest: Error {
    /// The explanation for the client.
    let explanation: String
}
