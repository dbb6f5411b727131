import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import NIOCore
import UseCases

/// A submitted form.
struct Form: Sendable {
    /// The largest accepted form, in bytes.
    static let limit = 64 << 10
    /// The field for the token that every form contains.
    static let tokenField = "form_token"

    /// Percent-encodes a query value. Only letters, digits and `-_.~` stay as they are.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", ".", "~"])) ?? ""
    }

    private let parameters: FormParameters
    private var ignored: Set<String> = []

    /// - Throws: `invalidRequest` for a malformed form; HTTP errors for one that is too large or has another media
    ///   type.
    init(_ request: Request) async throws {
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/x-www-form-urlencoded" else { throw HTTPError(.unsupportedMediaType) }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.limit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch {
            // Broken framing, a body timeout, or a browser that disconnected.
            throw HTTPError(.badRequest)
        }
        guard let parameters = FormParameters(body.readableBytesView) else {
            throw ServiceError.invalidRequest("malformed form")
        }
        self.parameters = parameters
    }

    /// The names of all fields, in no particular order.
    var names: some Sequence<String> { parameters.names.filter { !ignored.contains($0) } }

    subscript(_ name: String) -> String? { ignored.contains(name) ? nil : parameters[name] }

    /// Returns the form without a field.
    func without(_ name: String) -> Form {
        var form = self
        form.ignored.insert(name)
        return form
    }
}
