import Foundation
import Secrets

/// A token in the compact form (RFC 7515 section 7.1), taken apart and not yet believed.
package struct CompactJWS: Sendable {
    /// Larger than any token a provider makes, small enough to read without thought.
    package static let maximumSize = 16 * 1024

    package let header: JWSHeader
    package let payload: Data
    package let signature: Data
    /// What the signature is over.
    package let signingInput: Data

    /// - Parameter maximumSize: in bytes; for what carries certificates with it more than the usual one.
    /// - Throws: `malformed` or `algorithmRefused`.
    package init(_ token: String, maximumSize: Int = Self.maximumSize) throws(JWSError) {
        guard token.utf8.count <= maximumSize else { throw .malformed("larger than \(maximumSize >> 10) KiB") }
        let segments = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3 else { throw .malformed("segments") }
        guard let header = Base64URL.decode(Substring(segments[0])),
            let payload = Base64URL.decode(Substring(segments[1])),
            let signature = Base64URL.decode(Substring(segments[2]))
        else { throw .malformed("base64url") }
        self.header = try JWSHeader(header)
        self.payload = payload
        self.signature = signature
        signingInput = Data(token.utf8.prefix(segments[0].count + 1 + segments[1].count))
    }
}

/// Why a text is not read as a JWS.
package enum JWSError: Error, Equatable, Sendable {
    /// Which part is not of the form; for the log.
    case malformed(String)
    /// It names no algorithm, or asks for an extension that is not understood here.
    case algorithmRefused
}
