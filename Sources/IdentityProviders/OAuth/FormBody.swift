import Foundation
import NIOCore

/// A body of the type `application/x-www-form-urlencoded`.
enum FormBody {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Writes parameters in their order; those without a value are left out.
    static func encode(_ parameters: [(name: String, value: String?)]) -> ByteBuffer {
        let pairs = parameters.compactMap { name, value in value.map { "\(name)=\(escape($0))" } }
        return ByteBuffer(string: pairs.joined(separator: "&"))
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
