import Foundation
import PhotolalaTesting
import Secrets
import Testing

/// Seals and codes: valid for one purpose and context, under any configured key.
@Suite struct KeyRingTests {
    private func key(_ id: String, _ byte: UInt8) throws -> MasterKey {
        try #require(MasterKey(id: id, bytes: Data(repeating: byte, count: 32)))
    }

    @Test("a seal opens only for its purpose and context")
    func purposeAndContext() throws {
        let ring = KeyRing(current: try key("k1", 1))
        let sealed = try ring.seal(
            Data("secret".utf8), for: .pendingIdentity, context: "device", randomness: .seeded(1)
        )
        #expect(try ring.open(sealed, for: .pendingIdentity, context: "device") == Data("secret".utf8))
        #expect(throws: SecretsError.notAuthentic) { try ring.open(sealed, for: .pendingIdentity, context: "other") }
        #expect(throws: SecretsError.notAuthentic) { try ring.open(sealed, for: .storageSession, context: "device") }
    }

    @Test("tokens and codes are rejected in another environment with the same master key, other values are not")
    func environments() throws {
        let stage = KeyRing(current: try key("k1", 1), environment: "stage")
        let prod = KeyRing(current: try key("k1", 1), environment: "prod")
        for purpose in [SecretPurpose.challenge, .pendingIdentity, .refreshToken, .storageSession] {
            let sealed = try stage.seal(Data([1]), for: purpose, context: "", randomness: .seeded(1))
            #expect(throws: SecretsError.notAuthentic) { try prod.open(sealed, for: purpose, context: "") }
            let code = try stage.authenticationCode(of: Data([1]), for: purpose)
            #expect(stage.isAuthentic(code, of: Data([1]), for: purpose, keyID: "k1"))
            #expect(!prod.isAuthentic(code, of: Data([1]), for: purpose, keyID: "k1"))
        }
        let plain = try KeyRing(current: try key("k1", 1)).checkValue(of: "k1")
        #expect(try stage.checkValue(of: "k1") == plain)
    }

    @Test("after a rotation old values still open, and new ones name the new key")
    func rotation() throws {
        let old = KeyRing(current: try key("k1", 1))
        let new = KeyRing(current: try key("k2", 2), previous: [try key("k1", 1)])
        let sealed = try old.seal(Data([1]), for: .emailAddress, context: "", randomness: .seeded(1))
        #expect(try new.open(sealed, for: .emailAddress, context: "") == Data([1]))
        #expect(try new.seal(Data([1]), for: .emailAddress, context: "", randomness: .seeded(1)).hasPrefix("k2."))
        let without = KeyRing(current: try key("k2", 2))
        #expect(throws: SecretsError.unknownKey("k1")) { try without.open(sealed, for: .emailAddress, context: "") }
    }

    @Test("a key's check value depends only on the key's bytes")
    func checkValue() throws {
        let value = try KeyRing(current: try key("k1", 1)).checkValue(of: "k1")
        #expect(value.count == 64)
        let rotated = KeyRing(current: try key("k2", 2), previous: [try key("k1", 1)])
        #expect(try rotated.checkValue(of: "k1") == value)
        #expect(try rotated.checkValue(of: "k2") != value)
        #expect(try KeyRing(current: try key("k1", 2)).checkValue(of: "k1") != value)
        #expect(throws: SecretsError.unknownKey("k3")) { try rotated.checkValue(of: "k3") }
    }

    @Test("an account's name in the log is 16 digits of an HMAC under the account-hash key")
    func accountHash() throws {
        let account = try #require(UUID(uuidString: "04762573-13e2-425e-aef4-2c715e7296fa"))
        let rotated = KeyRing(current: try key("k2", 2), previous: [try key("k1", 1)], environment: "prod")
        // Computed with Python's hmac from HKDF's definition.
        #expect(try rotated.accountHash(of: account, keyID: "k1") == "f7d38a2ce0d55778")
        #expect(try rotated.accountHash(of: account) != "f7d38a2ce0d55778")
    }

    @Test("master keys are the same if their bytes are, regardless of their ids")
    func sameBytes() throws {
        #expect(try key("k1", 1).hasSameBytes(as: key("k2", 1)))
        #expect(try !key("k1", 1).hasSameBytes(as: key("k1", 2)))
    }

    @Test(
        "malformed values do not open",
        arguments: ["", "k1", "k1.", "k1.!!", "k1.AAAA", "k1.\(String(repeating: "A", count: 4000))"])
    func garbage(text: String) throws {
        let ring = KeyRing(current: try key("k1", 1))
        #expect(throws: SecretsError.notAuthentic) { try ring.open(text, for: .emailAddress, context: "") }
    }

    @Test(
        "a master key without an id of lower-case letters and digits and exactly 32 bytes is rejected",
        arguments: [
            "k1:AAAA", "K1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            ":AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "k1", "", "k.1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        ])
    func illegalMasterKey(text: String) {
        #expect(MasterKey(text) == nil)
    }

    @Test("a valid master key is parsed")
    func legalMasterKey() {
        #expect(MasterKey("k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")?.id == "k1")
    }
}
