import Crypto
import Foundation
import Secrets

/// A token in compact serialization (RFC 7515 section 7.1), decoded but not verified.
package struct CompactJWS: Sendable {
    /// The default size limit, in bytes: larger than any provider's token.
    package static let maximumSize = 16 * 1024

    package let header: JWSHeader
    package let payload: Data
    package let signature: Data
    /// The bytes that are signed.
    package let signingInput: Data

    /// - Parameter maximumSize: in bytes; larger than the default for tokens that contain certificates.
    /// - Throws: `malformed` or `algorithmRefused`.
    package init(_ token: String, maximumSize: Int = Self.maximumSize) throws(JWSError) {
        guard token.utf8.count <= maximumSize else { throw .malformed("larger than \(maximumSize >> 10) KiB") }
        var token = token
        self = try token.withUTF8 { text in Result { () throws(JWSError) in try CompactJWS(text) } }.get()
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) throws(JWSError) {
        let dot = UInt8(ascii: ".")
        guard let first = text.firstIndex(of: dot), let last = text.lastIndex(of: dot), first < last,
            !text[(first + 1)..<last].contains(dot)
        else { throw .malformed("segments") }
        guard let header = Base64URL.decode(UnsafeBufferPointer(rebasing: text[..<first])),
            let payload = Base64URL.decode(UnsafeBufferPointer(rebasing: text[(first + 1)..<last])),
            let signature = Base64URL.decode(UnsafeBufferPointer(rebasing: text[(last + 1)...]))
        else { throw .malformed("base64url") }
        self.header = try JWSHeader(header)
        self.payload = payload
        self.signature = signature
        signingInput = Data(text[..<last])
    }
}

/// Why a text was rejected as a JWS.
package enum JWSError: Error, Equatable, Sendable {
    /// The malformed part; for the log.
    case malformed(String)
    /// The header names no algorithm, or requires an unsupported extension.
    case algorithmRefused
}

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
