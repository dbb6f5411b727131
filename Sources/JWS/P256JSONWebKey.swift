import Crypto
import Foundation
import JSONCoding
import Secrets

/// A public P-256 key as a JSON Web Key (RFC 7518 section 6.2), as in a DPoP proof (RFC 9449).
package struct P256JSONWebKey: Sendable {
    package let publicKey: P256.Signing.PublicKey

    package init(_ publicKey: P256.Signing.PublicKey) { self.publicKey = publicKey }

    /// Returns `nil` for a key of another type or curve, one with private members, and one that may not verify
    /// signatures (`use`, `key_ops`, `alg`).
    package init?(_ value: JSONValue) {
        guard let members = value.object, Self.privateParts.allSatisfy({ members[$0] == nil }),
            members["kty"]?.string == "EC", members["crv"]?.string == "P-256", Self.mayVerify(members),
            let x = Self.coordinate(members["x"]), let y = Self.coordinate(members["y"]),
            let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
        else { return nil }
        publicKey = key
    }

    /// The members that identify the key, in the order and form of RFC 7638 section 3.
    package var json: String {
        let point = publicKey.rawRepresentation
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    }

    package var thumbprint: KeyThumbprint { KeyThumbprint(of: self) }

    /// Returns whether the key signed a token with ES256 (RFC 7518 section 3.4).
    package func isSigner(of token: CompactJWS) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature) else { return false }
        return publicKey.isValidSignature(signature, for: token.signingInput)
    }

    /// The private members of all key types (RFC 7518 section 6).
    private static let privateParts = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func mayVerify(_ members: [String: JSONValue]) -> Bool {
        if let use = members["use"], use.string != "sig" { return false }
        if let algorithm = members["alg"], algorithm.string != "ES256" { return false }
        if let operations = members["key_ops"], operations.strings?.contains("verify") != true { return false }
        return true
    }

    private static func coordinate(_ value: JSONValue?) -> Data? {
        guard let bytes = value?.string.flatMap({ Base64URL.decode($0) }), bytes.count == 32 else { return nil }
        return bytes
    }
}
