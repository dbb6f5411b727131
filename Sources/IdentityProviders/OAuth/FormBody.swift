import Foundation
import NIOCore

/// An `application/x-www-form-urlencoded` body.
package enum FormBody {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Encodes parameters in their order; those without a value are left out.
    static func encode(_ parameters: [(name: String, value: String?)]) -> ByteBuffer {
        ByteBuffer(string: text(parameters))
    }

    /// Encodes parameters as text, which is also the form of a query. A space becomes `%20`.
    package static func text(_ parameters: [(name: String, value: String?)]) -> String {
        parameters.compactMap { name, value in value.map { "\(name)=\(escape($0))" } }.joined(separator: "&")
    }

    static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
