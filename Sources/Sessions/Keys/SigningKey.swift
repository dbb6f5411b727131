import Crypto
import Foundation
import Secrets

/// A signing key for access tokens, opened.
struct SigningKey: Sendable {
    let id: String
    let privateKey: P256.Signing.PrivateKey
    let publicKey: P256.Signing.PublicKey
    let activeFrom: Date
    let createdAt: Date
    /// The JWT header for this key, encoded once.
    let encodedHeader: String

    init(_ entry: SigningKeyDocument.Entry, privateKey: P256.Signing.PrivateKey) {
        id = entry.id
        self.privateKey = privateKey
        publicKey = privateKey.publicKey
        activeFrom = entry.activeFrom
        createdAt = entry.createdAt
        encodedHeader = Base64URL.encode(Data(#"{"alg":"ES256","kid":"\#(entry.id)","typ":"JWT"}"#.utf8))
    }

    /// The public key as a JSON Web Key (RFC 7517 section 4).
    var jsonWebKey: String {
        let point = publicKey.rawRepresentation
        let x = Base64URL.encode(point.prefix(32))
        let y = Base64URL.encode(point.suffix(32))
        return #"{"alg":"ES256","crv":"P-256","kid":"\#(id)","kty":"EC","use":"sig","x":"\#(x)","y":"\#(y)"}"#
    }
}
