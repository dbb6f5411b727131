import Crypto
import CryptoExtras
import Foundation
import JWS
import Secrets

/// One public key of a provider (RFC 7517), usable for checking signatures.
struct JSONWebKey: Sendable {
    let id: String?
    /// The one issuer that signs with it, where the set says so (Microsoft's does).
    let issuer: String?
    /// The only algorithm the key may be used with, when the provider says so.
    private let algorithm: JWSAlgorithm?
    private let material: Material

    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
    }

    /// Gives `nil` for a key that must not or cannot check signatures here: another type or curve, a symmetric or
    /// private key, one meant for something else (`use`, `key_ops`, `alg`), RSA below 2048 or above 8192 bits.
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
            guard let algorithm = named.string.flatMap(JWSAlgorithm.init), Self.fits(algorithm, material) else {
                return nil
            }
            self.algorithm = algorithm
        } else {
            algorithm = nil
        }
    }

    /// Whether the key's type fits the algorithm and its own `alg`, if any, names it.
    func accepts(_ algorithm: JWSAlgorithm) -> Bool {
        (self.algorithm ?? algorithm) == algorithm && Self.fits(algorithm, material)
    }

    /// Whether the signature (RFC 7518 sections 3.3 to 3.5) is this key's, made with exactly this algorithm.
    func signed(_ message: Data, signature: Data, using algorithm: JWSAlgorithm) -> Bool {
        guard self.algorithm == nil || self.algorithm == algorithm else { return false }
        switch (algorithm, material) {
        case (.rs256, .rsa(let key)): return key.signed(SHA256.hash(data: message), signature, .insecurePKCS1v1_5)
        case (.rs384, .rsa(let key)): return key.signed(SHA384.hash(data: message), signature, .insecurePKCS1v1_5)
        case (.rs512, .rsa(let key)): return key.signed(SHA512.hash(data: message), signature, .insecurePKCS1v1_5)
        case (.ps256, .rsa(let key)): return key.signed(SHA256.hash(data: message), signature, .PSS)
        case (.ps384, .rsa(let key)): return key.signed(SHA384.hash(data: message), signature, .PSS)
        case (.ps512, .rsa(let key)): return key.signed(SHA512.hash(data: message), signature, .PSS)
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

    private static func fits(_ algorithm: JWSAlgorithm, _ material: Material) -> Bool {
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

    /// Both coordinates at their full length (RFC 7518 section 6.2.1.2); the curve checks the rest.
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
        // Exponent 1 signs nothing, an even one is no RSA key, a huge one costs whoever checks.
        guard (2048...8192).contains(bits), exponent.count <= 4, last & 1 == 1, !exponent.elementsEqual([1]) else {
            return nil
        }
        return try? _RSA.Signing.PublicKey(n: Data(modulus), e: Data(exponent))
    }
}

extension _RSA.Signing.PublicKey {
    fileprivate func signed(_ digest: some Digest, _ signature: Data, _ padding: _RSA.Signing.Padding) -> Bool {
        isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
    }
}
