import Foundation
import HTTPTypes
import Hummingbird
import JSONCoding
import NIOCore
import Operators
import PhotolalaAPI

/// An operator's authenticated call.
struct OperatorRequest {
    let request: Request
    let context: OperatorContext
    let key: OperatorKey

    /// The largest body, in bytes.
    private static let bodyLimit = 64 << 10

    /// The account that the path names; `nil` if the path has none.
    /// - Throws: `OperatorFailure.notFound` for a malformed id.
    static func account(_ context: OperatorContext) throws(OperatorFailure) -> UserID? {
        guard let text = context.parameters.get("user") else { return nil }
        guard let user = UserID(text) else { throw .notFound }
        return user
    }

    /// The account that the path names, for routes that have one.
    func account() throws(OperatorFailure) -> UserID {
        guard let user = try Self.account(context) else { throw .notFound }
        return user
    }

    /// Decodes the JSON body.
    func body<Body: Decodable>(_ type: Body.Type) async throws -> Body {
        let sent = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard sent == "application/json" else { throw HTTPError(.unsupportedMediaType) }
        let bytes: ByteBuffer
        do {
            bytes = try await request.body.collect(upTo: Self.bodyLimit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch {
            throw HTTPError(.badRequest)
        }
        do {
            return try CompactJSON.decode(type, from: Array(bytes.readableBytesView))
        } catch {
            throw OperatorFailure.invalid("The body is not the JSON object that this call expects.")
        }
    }

    /// Returns a query parameter; `nil` if it is absent.
    func text(_ name: String) -> String? { request.uri.queryParameters[name[...]].map { String($0) } }

    /// Returns a whole number from the query.
    /// - Parameter absent: the value without the parameter.
    func number(_ name: String, in range: ClosedRange<Int>, absent: Int) throws(OperatorFailure) -> Int {
        guard let text = text(name) else { return absent }
        guard let number = Int(text), range.contains(number) else {
            throw .invalid("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Returns an account id from the query; `nil` if it is absent.
    func account(_ name: String) throws(OperatorFailure) -> UserID? {
        guard let text = text(name) else { return nil }
        guard let user = UserID(text) else { throw .invalid("\(name) must be an account id.") }
        return user
    }
}

/// Answers of the operator API.
enum OperatorAnswer {
    static func json(_ answer: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try CompactJSON.encode(answer))))
    }

    /// Done, with nothing to tell.
    static let done = Response(status: .noContent, headers: [.cacheControl: "no-store"])
}
