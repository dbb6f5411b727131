import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI

/// Reads JSON bodies within their limit, and writes JSON answers.
struct JSONExchange: Sendable {
    /// Bytes.
    let limit: Int

    /// Reads a body, lets a flow answer it and encodes the answer.
    /// - Parameter absent: what counts as sent where nothing was; without it a body must be there.
    func respond<Body: Decodable & Sendable, Answer: Encodable>(
        to request: Request, _ context: ServerContext, status: (Answer) -> HTTPResponse.Status = { _ in .ok },
        absent: Body? = nil, _ flow: (Body) async throws -> Answer
    ) async throws -> Response {
        let body = try decode(Body.self, try await collect(request, context), of: request, absent: absent)
        let answer = try await flow(body)
        return try Self.encode(answer, status: status(answer))
    }

    /// Encodes an answer; one that is nothing becomes 204.
    static func encode(_ answer: some Encodable, status: HTTPResponse.Status) throws -> Response {
        guard !(answer is Nothing) else { return Response(status: .noContent) }
        return Response(
            status: status, headers: [.contentType: MediaType.json, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encoder().encode(answer)))
        )
    }

    /// Decodes a body that was collected; a call that takes none gets none.
    func decode<Body: Decodable & Sendable>(
        _ type: Body.Type, _ bytes: ByteBuffer, of request: Request, absent: Body? = nil
    ) throws -> Body {
        if let nothing = Nothing() as? Body { return nothing }
        guard bytes.readableBytes > 0 else {
            // Nothing is not `{}`: it would empty a profile.
            guard let absent else { throw InvalidRequest(explanation: "The body is missing.") }
            return absent
        }
        guard let sent = request.headers[.contentType].flatMap(MediaType.init), sent.isUTF8(MediaType.json) else {
            throw HTTPError(.unsupportedMediaType)
        }
        return try decode(type, Data(bytes.readableBytesView))
    }

    private func decode<Body: Decodable>(_ type: Body.Type, _ bytes: Data) throws -> Body {
        do {
            return try WireJSON.decoder().decode(type, from: bytes)
        } catch let error as DecodingError {
            throw InvalidRequest(explanation: Self.explain(error))
        }
    }

    /// The bytes of a body, at the pace that the connection is held to. The header is asked first, so that an announced
    /// giant costs nothing.
    func collect(_ request: Request, _ context: ServerContext) async throws -> ByteBuffer {
        // HTTP's decoder lets through only digits, so what is no `Int` is too much for one.
        if let length = request.headers[.contentLength], Int(length) ?? .max > limit {
            throw HTTPError(.contentTooLarge)
        }
        if request.head.expectsContinue { try await context.channel.sendContinue() }
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch is SlowBody {
            throw HTTPError(.requestTimeout)
        } catch {
            // Broken framing, or a client that went away.
            throw HTTPError(.badRequest)
        }
    }

    /// What is wrong with a body, for its sender; never what it held.
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
        case .dataCorrupted(let context) where context.codingPath.isEmpty: return "The body is not JSON."
        case .dataCorrupted(let context): return "\(path(context)) has a value that is not allowed."
        @unknown default: return "The body is not what this call takes."
        }
    }
}

/// A request that is not what the call takes.
struct InvalidRequest: Error {
    /// For its sender.
    let explanation: String
}
