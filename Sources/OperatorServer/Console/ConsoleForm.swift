import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A form of the console, from a page of the console.
struct ConsoleForm {
    /// The largest form, in bytes.
    private static let limit = 16 << 10

    private let fields: [String: String]

    /// - Throws: `HTTPError` for a form of another site, one that is too large or malformed.
    init(_ request: Request) async throws {
        guard Self.isSameOrigin(request) else { throw HTTPError(.forbidden) }
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else {
            throw HTTPError(.unsupportedMediaType)
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.limit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch {
            throw HTTPError(.badRequest)
        }
        do {
            fields = try URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))
        } catch {
            throw HTTPError(.badRequest)
        }
    }

    subscript(_ name: String) -> String { fields[name] ?? "" }

    /// Browsers send `Origin` with every form; a page of another site has another one.
    private static func isSameOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin], let authority = request.head.authority else { return false }
        return origin == "http://\(authority)" || origin == "https://\(authority)"
    }
}
