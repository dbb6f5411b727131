import Crypto
import CryptoExtras
import Foundation
import JSONCoding
import Secrets

/// A public key of a provider (RFC 7517) for verifying signatures.
struct JSONWebKey: Sendable {
    let id: String?
    /// The only issuer that signs with the key, if the key set says so (Microsoft's does).
    let issuer: String?
    /// The only algorithm of the key, if the provider names one.
    private let algorithm: JWSAlgorithm?
    private let material: Material

    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
    }

    /// Returns `nil` for a key that must not or cannot verify signatures here: an unsupported type or curve, a
    /// symmetric or private key, a key for another purpose (`use`, `key_ops`, `alg`), RSA below 2048 or above 8192
    /// bits.
    init?(_ value: JSONValue) {
        guard let members = value.object, members["d"] == nil, Self.mayVerify(members) else { return nil }
        if let named = members["kid"] {
            guard let text = named.string else { return nil }
            id = text
        } else {
            id = nil
        }
        issuer = members["issuer"]?.string
        guard let material = Self.material(members) else { return nil }
        self.material = material
        if let named = members["alg"] {
            guard let algorithm = named.string.flatMap(JWSAlgorithm.init), Self.supports(algorithm, material) else {
                return nil
            }
            self.algorithm = algorithm
        } else {
            algorithm = nil
        }
    }

    /// Returns whether the key's type supports the algorithm and its `alg`, if any, equals it.
    func accepts(_ algorithm: JWSAlgorithm) -> Bool {
        (self.algorithm ?? algorithm) == algorithm && Self.supports(algorithm, material)
    }

    /// Returns whether the signature (RFC 7518 sections 3.3 to 3.5) was made with this key and exactly this algorithm.
    func verifies(_ message: Data, signature: Data, using algorithm: JWSAlgorithm) -> Bool {
        guard self.algorithm == nil || self.algorithm == algorithm else { return false }
        switch (algorithm, material) {
        case (.rs256, .rsa(let key)): return key.verifies(SHA256.hash(data: message), signature, .insecurePKCS1v1_5)
        case (.rs384, .rsa(let key)): return key.verifies(SHA384.hash(data: message), signature, .insecurePKCS1v1_5)
        case (.rs512, .rsa(let key)): return key.verifies(SHA512.hash(data: message), signature, .insecurePKCS1v1_5)
        case (.ps256, .rsa(let key)): return key.verifies(SHA256.hash(data: message), signature, .PSS)
        case (.ps384, .rsa(let key)): return key.verifies(SHA384.hash(data: message), signature, .PSS)
        case (.ps512, .rsa(let key)): return key.verifies(SHA512.hash(data: message), signature, .PSS)
        case (.es256, .p256(let key)):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        case (.es384, .p384(let key)):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA384.hash(data: message))
        default: return false
        }
    }

    private static func mayVerify(_ members: [String: JSONValue]) -> Bool {
        if let use = members["use"], use.string != "sig" { return false }
        if let operations = members["key_ops"], operations.strings?.contains("verify") != true { return false }
        return true
    }

    private static func supports(_ algorithm: JWSAlgorithm, _ material: Material) -> Bool {
        switch (algorithm, material) {
        case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa),
            (.es256, .p256), (.es384, .p384):
            true
        default: false
        }
    }

    private static func material(_ members: [String: JSONValue]) -> Material? {
        switch (members["kty"]?.string, members["crv"]?.string) {
        case ("RSA", _):
            rsaKey(modulus: number("n", in: members), exponent: number("e", in: members)).map(Material.rsa)
        case ("EC", "P-256"):
            point(members, size: 32).flatMap { try? P256.Signing.PublicKey(rawRepresentation: $0) }.map(Material.p256)
        case ("EC", "P-384"):
            point(members, size: 48).flatMap { try? P384.Signing.PublicKey(rawRepresentation: $0) }.map(Material.p384)
        default: nil
        }
    }

    private static func number(_ name: String, in members: [String: JSONValue]) -> Data? {
        members[name]?.string.flatMap { Base64URL.decode($0) }
    }

    /// Returns both coordinates, which must have their full length (RFC 7518 section 6.2.1.2); the curve checks the
    /// rest.
    private static func point(_ members: [String: JSONValue], size: Int) -> Data? {
        guard let x = number("x", in: members), let y = number("y", in: members), x.count == size, y.count == size
        else { return nil }
        return x + y
    }

    private static func rsaKey(modulus: Data?, exponent: Data?) -> _RSA.Signing.PublicKey? {
        guard let modulus = modulus?.drop(while: { $0 == 0 }), let exponent = exponent?.drop(while: { $0 == 0 }),
            let first = modulus.first, let last = exponent.last
        else { return nil }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        // With exponent 1 any signature is valid, an even exponent is not an RSA key, and a huge one makes verification
        // slow.
        guard (2048...8192).contains(bits), exponent.count <= 4, last & 1 == 1, !exponent.elementsEqual([1]) else {
            return nil
        }
        return try? _RSA.Signing.PublicKey(n: Data(modulus), e: Data(exponent))
    }
}

extension _RSA.Signing.PublicKey {
    fileprivate func verifies(_ digest: some Digest, _ signature: Data, _ padding: _RSA.Signing.Padding) -> Bool {
        isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
    }
}
