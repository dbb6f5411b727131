import Crypto
import Foundation
import JWS
import PhotolalaTesting
import Secrets
import Testing

@testable import Sessions

/// Every check of RFC 9449 section 4.3, each with a DPoP proof that violates only that rule.
@Suite struct DPoPProofTests {
    private static let uri = "https://photos.example/auth/devices"

    private struct Fixture {
        let clock = TestClock()
        let proofs: DPoPVerifier
        let key = P256.Signing.PrivateKey()

        init(environment: String = "dev", byte: UInt8 = 7) throws {
            let master = try #require(MasterKey(id: "test", bytes: Data(repeating: byte, count: 32)))
            let clock = clock
            proofs = DPoPVerifier(
                keyRing: KeyRing(current: master, environment: environment), remembered: 10, now: { clock.now })
        }

        func draft(_ accessToken: String? = nil) throws -> DPoPProofDraft {
            try DPoPProofDraft(key, "GET", uri, nonce: try proofs.nonce(), accessToken: accessToken)
        }

        func check(_ text: String, accessToken: String? = nil) throws -> DPoPProof {
            try proofs.verify(PresentedDPoPProof(text: text, method: "GET", uri: uri), accessToken: accessToken)
        }
    }

    @Test("a valid DPoP proof is accepted and identifies its key by its thumbprint")
    func good() throws {
        let fixture = try Fixture()
        let proof = try fixture.check(try fixture.draft("token").text(), accessToken: "token")
        #expect(proof.key == P256JSONWebKey(fixture.key.publicKey).thumbprint)
        #expect(proof.onlyReads)
        #expect(try fixture.proofs.consume(proof))
    }

    /// Violates one rule in a draft.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: SessionError
        let change: @Sendable (inout DPoPProofDraft) -> Void

        init(_ name: String, _ reason: String, _ change: @escaping @Sendable (inout DPoPProofDraft) -> Void) {
            (testDescription, error, self.change) = (name, .invalidDPoPProof(reason), change)
        }

        init(withoutNonce name: String, _ change: @escaping @Sendable (inout DPoPProofDraft) -> Void) {
            (testDescription, error, self.change) = (name, .nonceRequired, change)
        }

        private static let key = "jwk must be a public P-256 key without private members"

        static func jwk(
            _ name: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void
        ) -> Fault {
            Fault(name, key) { draft in
                var jwk = draft.header["jwk"] as? [String: Any] ?? [:]
                change(&jwk)
                draft.header["jwk"] = jwk
            }
        }

        static let all: [Fault] = [
            Fault("no typ", "typ must be dpop+jwt") { $0.header["typ"] = nil },
            Fault("typ of another token", "typ must be dpop+jwt") { $0.header["typ"] = "JWT" },
            Fault("alg none", "alg must be ES256") { $0.header["alg"] = "none" },
            Fault("alg HS256", "alg must be ES256") { $0.header["alg"] = "HS256" },
            Fault("alg RS256", "alg must be ES256") { $0.header["alg"] = "RS256" },
            Fault("alg ES384", "alg must be ES256") { $0.header["alg"] = "ES384" },
            Fault("no alg", "not a JWS: algorithmRefused") { $0.header["alg"] = nil },
            Fault("critical extension", "not a JWS: algorithmRefused") { $0.header["crit"] = ["x"] },
            Fault("no jwk", key) { $0.header["jwk"] = nil },
            Fault("jwk is no key", key) { $0.header["jwk"] = "key" },
            jwk("private key in jwk") { $0["d"] = "AAAA" },
            jwk("symmetric key in jwk") { $0 = ["kty": "oct", "k": "AAAA"] },
            jwk("RSA key in jwk") { $0 = ["kty": "RSA", "n": "AQAB", "e": "AQAB"] },
            jwk("another curve") { $0["crv"] = "P-384" },
            jwk("a key for encryption") { $0["use"] = "enc" },
            jwk("a key that must not verify") { $0["key_ops"] = ["sign"] },
            jwk("a point that is not on the curve") { $0["y"] = Base64URL.encode(Data(repeating: 1, count: 32)) },
            jwk("a short coordinate") { $0["x"] = "AQ" },
            Fault("no jti", "jti must be 1 to 255 bytes") { $0.claims["jti"] = nil },
            Fault("empty jti", "jti must be 1 to 255 bytes") { $0.claims["jti"] = "" },
            Fault("long jti", "jti must be 1 to 255 bytes") { $0.claims["jti"] = String(repeating: "x", count: 256) },
            Fault("jti is a number", "jti must be a string") { $0.claims["jti"] = 1 },
            Fault("no htm", "htm or htu is missing") { $0.claims["htm"] = nil },
            Fault("another method", "htm must be GET") { $0.claims["htm"] = "POST" },
            Fault("the method in small letters", "htm must be GET") { $0.claims["htm"] = "get" },
            Fault("no htu", "htm or htu is missing") { $0.claims["htu"] = nil },
            Fault("another path", "htu must be \(uri)") { $0.claims["htu"] = uri + "/x" },
            Fault("another server", "htu must be \(uri)") {
                $0.claims["htu"] = "https://evil.example/auth/devices"
            },
            Fault("plain http", "htu must be \(uri)") {
                $0.claims["htu"] = "http://photos.example/auth/devices"
            },
            Fault("no iat", "iat is missing or not a number") { $0.claims["iat"] = nil },
            Fault("iat is a text", "iat is missing or not a number") { $0.claims["iat"] = "now" },
            Fault("larger than 2 KiB", "longer than 2 KiB") {
                $0.claims["more"] = String(repeating: "x", count: 2048)
            },
            Fault(withoutNonce: "no nonce") { $0.claims["nonce"] = nil },
            Fault(withoutNonce: "a nonce of another server") { $0.claims["nonce"] = "eyJ7S_zG.eyJH0-Z.HX4w-7v" },
            Fault("no ath", "ath must be the access token's hash") { $0.claims["ath"] = nil },
            Fault("ath of another token", "ath must be the access token's hash") {
                $0.claims["ath"] = Base64URL.encode(Data(SHA256.hash(data: Data("other".utf8))))
            },
        ]
    }

    @Test("a DPoP proof that violates one rule is rejected with its reason", arguments: Fault.all)
    func broken(_ fault: Fault) throws {
        let fixture = try Fixture()
        var draft = try fixture.draft("token")
        fault.change(&draft)
        let text = try draft.text()
        #expect(throws: fault.error) { try fixture.check(text, accessToken: "token") }
    }

    @Test("a DPoP proof that was changed, or signed with a key other than its own, is rejected")
    func signature() throws {
        let fixture = try Fixture()
        let text = try fixture.draft().text()
        for place in stride(from: 0, to: text.utf8.count, by: 7) {
            var bytes = Array(text.utf8)
            bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let changed = String(decoding: bytes, as: UTF8.self)
            // The reason depends on what the change hits.
            #expect(throws: SessionError.self) { try fixture.check(changed) }
        }
        var foreign = try fixture.draft()
        let other = P256JSONWebKey(P256.Signing.PrivateKey().publicKey).json
        foreign.header["jwk"] = try JSONSerialization.jsonObject(with: Data(other.utf8))
        let signedByAnother = try foreign.text()
        #expect(throws: SessionError.invalidDPoPProof("signature does not match jwk")) {
            try fixture.check(signedByAnother)
        }
    }

    @Test(
        "text that is not a JWS is rejected",
        arguments: [
            ("", "segments"), ("x", "segments"), ("a.b", "segments"), ("a.b.c.d", "segments"),
            ("eyJ9.e30.AA", "header"), ("e30.e30.e30, e30.e30.e30", "segments"),
        ])
    func noJWS(_ text: String, _ part: String) throws {
        let fixture = try Fixture()
        #expect(throws: SessionError.invalidDPoPProof("not a JWS: malformed(\"\(part)\")")) { try fixture.check(text) }
    }

    @Test("a repeated claim is rejected")
    func repeatedClaim() throws {
        let fixture = try Fixture()
        let parts = try fixture.draft().text().split(separator: ".")
        let claims = try #require(Base64URL.decode(parts[1]))
        let twice = String(decoding: claims, as: UTF8.self).dropLast() + #","htm":"GET"}"#
        let signed = "\(parts[0]).\(Base64URL.encode(Data(twice.utf8)))"
        let signature = try fixture.key.signature(for: Data(signed.utf8)).rawRepresentation
        #expect(throws: SessionError.invalidDPoPProof("claims are not JSON")) {
            try fixture.check("\(signed).\(Base64URL.encode(signature))")
        }
    }

    @Test("any number in iat is accepted", arguments: [-1e9, 0, 1.5, 4e9])
    func wrongClock(_ time: Double) throws {
        let fixture = try Fixture()
        var draft = try fixture.draft()
        draft.claims["iat"] = time
        #expect(try fixture.check(try draft.text()).onlyReads)
    }

    @Test("a nonce is valid in its minute and in the adjacent ones")
    func nonceWindows() throws {
        let fixture = try Fixture()
        let text = try fixture.draft().text()
        // The clock is 20 seconds into a minute.
        for step in [-60.0, 60, 99] {
            fixture.clock.advance(by: step)
            #expect(try fixture.check(text).onlyReads)
        }
        fixture.clock.advance(by: 1)
        #expect(throws: SessionError.nonceRequired) { try fixture.check(text) }
        fixture.clock.advance(by: -200)
        #expect(throws: SessionError.nonceRequired) { try fixture.check(text) }
    }

    @Test("a nonce of another environment, or under another master key, is rejected")
    func foreignNonces() throws {
        let fixture = try Fixture()
        let text = try fixture.draft().text()
        for other in [try Fixture(environment: "prod"), try Fixture(byte: 8)] {
            #expect(throws: SessionError.nonceRequired) { try other.check(text) }
        }
        let copy = try Fixture()
        #expect(try copy.check(text).onlyReads)
    }

    @Test("a DPoP proof is consumed once, and not after its nonce has expired")
    func takenOnce() throws {
        let fixture = try Fixture()
        let proof = try fixture.check(try fixture.draft().text())
        #expect(try fixture.proofs.consume(proof))
        #expect(throws: SessionError.invalidDPoPProof("already used")) { try fixture.proofs.consume(proof) }
        fixture.clock.advance(by: 200)
        #expect(throws: SessionError.nonceRequired) { try fixture.proofs.consume(proof) }
    }

    @Test("the error for a rejected DPoP proof contains none of its claims")
    func harmlessReasons() throws {
        let fixture = try Fixture()
        var draft = try fixture.draft()
        draft.claims["htu"] = "https://photos.example/secret"
        let text = try draft.text()
        #expect(throws: SessionError.invalidDPoPProof("htu must be https://photos.example/auth/devices")) {
            try fixture.check(text)
        }
    }
}
