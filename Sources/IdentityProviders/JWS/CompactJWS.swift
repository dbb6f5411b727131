import Accounts
import Foundation
import Secrets

/// A token in the compact form (RFC 7515 section 7.1), taken apart and not yet believed.
struct CompactJWS: Sendable {
    /// Larger than any token a provider makes, small enough to read without thought.
    static let maximumSize = 16 * 1024

    let header: JWSHeader
    let payload: Data
    private let signature: Data
    private let signingInput: Data

    /// - Throws: `malformed` or `algorithmRefused`.
    init(_ token: String) throws(IdentityTokenError) {
        guard token.utf8.count <= Self.maximumSize else { throw .malformed("larger than 16 KiB") }
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

    /// Whether the key signed this token with the algorithm. The algorithm is the caller's choice, from its own list;
    /// the token and the key must both agree with it.
    func isSigned(by key: JSONWebKey, using algorithm: JWSAlgorithm) -> Bool {
        header.algorithm == algorithm.rawValue && key.signed(signingInput, signature: signature, using: algorithm)
    }
}
