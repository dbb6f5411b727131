import Foundation
import JSONCoding
import JWS
import Secrets
import Testing

@testable import IdentityProviders

/// The project's own negative cases do not need the vectors.
@Suite(
    "Wycheproof's signatures",
    .enabled(if: WycheproofVectors.arePresent, "no test vectors; run scripts/install-vectors")
)
struct WycheproofTests {
    /// Returns whether the JWS code accepts a token: its algorithm is supported, and the key is usable for it and
    /// signed it.
    private func accepts(_ token: String, key: JSONValue?) -> Bool {
        guard let key = key.flatMap(JSONWebKey.init), let jws = try? CompactJWS(token),
            let algorithm = JWSAlgorithm(rawValue: jws.header.algorithm), key.accepts(algorithm)
        else { return false }
        if let named = jws.header.keyID, let id = key.id, named != id { return false }
        return jws.isSigned(by: key, using: algorithm)
    }

    /// Returns the ids of the cases whose result differs from the label.
    private func deviations(_ file: String) throws -> (count: Int, accepted: [Int], refused: [Int]) {
        var (count, accepted, refused) = (0, [Int](), [Int]())
        for group in try WycheproofVectors.groups(file) {
            // A group without a public key is symmetric, which a provider cannot publish. `symmetricKeys` covers it.
            guard let key = group.members["public"] else { continue }
            for test in group.cases {
                guard let token = test.members["jws"]?.string else { continue }
                count += 1
                let isAccepted = accepts(token, key: key)
                if isAccepted, !test.isValid { accepted.append(test.id) }
                if !isAccepted, test.isValid { refused.append(test.id) }
            }
        }
        return (count, accepted, refused)
    }

    @Test("JSON web signatures")
    func webSignatures() throws {
        let result = try deviations("json_web_signature_test.json")
        #expect(result.count == 361)
        #expect(result.accepted == [])
        // 346 and 350: the token says PS384 and the key says PS256. 347 and 351: the key says "ES521", which no
        // registry contains. The key's `alg` is a restriction (RFC 7517 section 4.4), so all four are refused.
        #expect(result.refused == [346, 347, 350, 351])
    }

    @Test("signatures in JSON web crypto")
    func webCrypto() throws {
        let result = try deviations("json_web_crypto_test.json")
        #expect(result.count > 0)
        // 46: a correctly signed token whose key has the pattern of Infineon's broken generator (ROCA). A provider is
        // responsible for the quality of its own keys, which are fetched over TLS, so this is accepted.
        #expect(result.accepted == [46])
        #expect(result.refused == [])
    }

    @Test("a symmetric key never verifies a provider's token")
    func symmetricKeys() throws {
        var count = 0
        for file in ["json_web_signature_test.json", "json_web_crypto_test.json"] {
            for group in try WycheproofVectors.groups(file) where group.members["public"] == nil {
                for token in group.cases.compactMap({ $0.members["jws"]?.string }) {
                    count += 1
                    // Includes tokens labelled valid, because HS256 is not supported by design.
                    #expect(!accepts(token, key: group.members["private"]))
                }
            }
        }
        #expect(count > 0)
    }

    @Test(
        "raw signatures",
        arguments: [
            ("ecdsa_secp256r1_sha256_p1363_test.json", "publicKeyJwk", JWSAlgorithm.es256, 262),
            ("rsa_signature_2048_sha256_test.json", "keyJwk", JWSAlgorithm.rs256, 259),
        ]
    )
    func rawSignatures(file: String, keyName: String, algorithm: JWSAlgorithm, count: Int) throws {
        var seen = 0
        for group in try WycheproofVectors.groups(file) {
            let key = try #require(JSONWebKey(group.members[keyName] ?? Self.point(group)))
            for test in group.cases {
                let message = try #require(WycheproofVectors.hex(test.members["msg"]))
                let signature = try #require(WycheproofVectors.hex(test.members["sig"]))
                seen += 1
                #expect(
                    key.verifies(message, signature: signature, using: algorithm) == test.isValid, "case \(test.id)")
            }
        }
        #expect(seen == count)
    }

    /// Returns the point as a JSON web key. Some groups have it only in hexadecimal.
    private static func point(_ group: WycheproofVectors.Group) -> JSONValue {
        let point = WycheproofVectors.hex(group.members["publicKey"]?.object?["uncompressed"]) ?? Data()
        let coordinates = point.dropFirst()
        return .object([
            "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.encode(coordinates.prefix(32))),
            "y": .string(Base64URL.encode(coordinates.suffix(32))),
        ])
    }
}
