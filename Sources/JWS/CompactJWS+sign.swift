import Crypto
import Foundation
import Secrets

extension CompactJWS {
    /// Returns a signed JWT (RFC 7519), ES256.
    /// - Parameter keyID: written into the header without escaping: letters, digits, `-` and `_`.
    package static func sign(
        _ claims: some Encodable, keyID: String, by key: P256.Signing.PrivateKey
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = #"{"alg":"ES256","kid":"\#(keyID)","typ":"JWT"}"#
        let input = "\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(try encoder.encode(claims)))"
        let signature = try key.signature(for: Data(input.utf8)).rawRepresentation
        return "\(input).\(Base64URL.encode(signature))"
    }
}
