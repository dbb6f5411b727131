import Flows
import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import NIOCore

/// A form that was posted here.
struct Form: Sendable {
    /// Bytes.
    static let limit = 64 << 10
    /// The field with the token that every page puts into its forms.
    static let tokenField = "form_token"

    /// A value for a query, with nothing in it that means something there.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", ".", "~"])) ?? ""
    }

    private let parameters: FormParameters

    /// - Throws: `invalidRequest` for what is none; errors of HTTP for what is too long or of another kind.
    init(_ request: Request) async throws {
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/x-www-form-urlencoded" else { throw HTTPError(.unsupportedMediaType) }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.limit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch {
            // Broken framing, too slow, or a browser that went away.
            throw HTTPError(.badRequest)
        }
        guard let parameters = FormParameters(body.readableBytesView) else {
            throw FlowError.invalidRequest("the form is not well-formed")
        }
        self.parameters = parameters
    }

    /// Of all its fields, in no order.
    var names: some Sequence<String> { parameters.names }

    subscript(_ name: String) -> String? { parameters[name] }
}
