import Crypto
import CryptoExtras
import Foundation
import Secrets

/// The RSA key of the development provider, because the real providers sign with RS256. Its id is derived from the key
/// (RFC 7638), so all processes with the same key publish the same key set.
package struct DevelopmentSigningKey: Sendable {
    private let key: _RSA.Signing.PrivateKey
    private let modulus: String
    private let exponent: String
    package let id: String

    /// Generates a key of 2048 bits, which takes a noticeable time.
    package static func generate() throws(DevelopmentProviderError) -> DevelopmentSigningKey {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { throw .keyUnusable }
        return try DevelopmentSigningKey(key)
    }

    /// Reads a key in the form of `derRepresentation`.
    /// - Throws: `keyUnusable` for anything but an RSA private key of at least 2048 bits.
    package init(derRepresentation: some DataProtocol) throws(DevelopmentProviderError) {
        guard let key = try? _RSA.Signing.PrivateKey(derRepresentation: Data(derRepresentation)) else {
            throw .keyUnusable
        }
        try self.init(key)
    }

    private init(_ key: _RSA.Signing.PrivateKey) throws(DevelopmentProviderError) {
        guard let numbers = try? key.publicKey.getKeyPrimitives() else { throw .keyUnusable }
        self.key = key
        modulus = Base64URL.encode(numbers.modulus)
        exponent = Base64URL.encode(numbers.publicExponent)
        let members = #"{"e":"\#(exponent)","kty":"RSA","n":"\#(modulus)"}"#
        id = Base64URL.encode(Data(SHA256.hash(data: Data(members.utf8))))
    }

    /// The secret key, for storage.
    package var derRepresentation: Data { key.derRepresentation }

    /// The public key as a key set (RFC 7517).
    var keySetDocument: Data {
        let key = #"{"alg":"RS256","e":"\#(exponent)","kid":"\#(id)","kty":"RSA","n":"\#(modulus)","use":"sig"}"#
        return Data(#"{"keys":[\#(key)]}"#.utf8)
    }

    /// Returns a compact JWS of the claims, signed with RS256.
    func sign(_ claims: Data) throws(DevelopmentProviderError) -> String {
        let header = #"{"alg":"RS256","kid":"\#(id)","typ":"JWT"}"#
        let input = "\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(claims))"
        let digest = SHA256.hash(data: Data(input.utf8))
        guard let signature = try? key.signature(for: digest, padding: .insecurePKCS1v1_5) else { throw .keyUnusable }
        return "\(input).\(Base64URL.encode(signature.rawRepresentation))"
    }
}
