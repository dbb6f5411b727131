import Foundation
import Secrets

/// The position at which a listing continues. Opaque to clients and without authority: the next page checks the
/// policy again.
enum ContinuationToken {
    static func encode(_ entry: ListingWalk.Entry) -> String {
        switch entry {
        case .object(let object): Base64URL.encode(Data("k\(object.key)".utf8))
        case .commonPrefix(let prefix): Base64URL.encode(Data("p\(prefix)".utf8))
        }
    }

    static func decode(_ token: String) throws(S3Error) -> (after: String, isPrefix: Bool) {
        guard token.utf8.count <= 2048, let bytes = Base64URL.decode(token),
            let text = String(validating: bytes, as: UTF8.self), let kind = text.first, kind == "k" || kind == "p"
        else { throw .invalidArgument("The continuation token provided is incorrect") }
        return (String(text.dropFirst()), kind == "p")
    }
}
