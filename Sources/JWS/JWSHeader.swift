import Foundation
import JSONCoding

/// The protected header of a JWS (RFC 7515 section 4), reduced to the members in use. Of the key members of a token
/// only `jwk` and `x5c` are kept; references (`jku`, `x5u`) are ignored.
package struct JWSHeader: Sendable, Equatable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    /// The token's own `jwk`. It is not trusted: it only identifies the key in a proof of possession.
    package let embeddedKey: JSONValue?
    /// The token's own `x5c`. It is not trusted until it is verified against a trusted root.
    package let certificateChain: JSONValue?

    /// - Throws: `malformed`; `algorithmRefused` for critical extensions (section 4.1.11) and unencoded payloads (RFC
    ///   7797), which are not supported.
    package init(_ bytes: Data) throws(JWSError) {
        guard let members = (try? JSONReader.read(bytes))?.object else { throw .malformed("header") }
        guard members["crit"] == nil, members["b64"] == nil else { throw .algorithmRefused }
        guard let algorithm = members["alg"]?.string else { throw .algorithmRefused }
        self.algorithm = algorithm
        keyID = try Self.text("kid", in: members)
        type = try Self.text("typ", in: members)
        embeddedKey = members["jwk"]
        certificateChain = members["x5c"]
    }

    private static func text(
        _ name: String, in members: [String: JSONValue]
    ) throws(JWSError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string, (1...255).contains(text.utf8.count) else { throw .malformed(name) }
        return text
    }
}
