import Foundation
import JSONCoding
import Secrets
import Testing

@testable import IdentityProviders

@Suite("keys in a provider's key set")
struct JSONWebKeyTests {
    private static let x = "04N0xi21hshyvBp7I167sbE_bXqyqkAPfefdklMO7wY"
    private static let y = "UI8exy-C06a7DUnjIdENkxeFtHM4-l_41LqEw9nVgmw"
    private static let point = #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#

    private static func rsa(bits: Int, e: String = "AQAB") -> String {
        var modulus = Data(repeating: 0x5a, count: bits / 8)
        modulus[0] = 0xc5
        modulus[modulus.count - 1] = 0x5b
        return #""kty":"RSA","n":"\#(Base64URL.encode(modulus))","e":"\#(e)""#
    }

    private func key(_ members: String) throws -> JSONWebKey? {
        JSONWebKey(try JSONReader.read("{\(members)}".utf8))
    }

    @Test(
        "a key that can verify signatures is accepted",
        arguments: [
            point, point + #","use":"sig""#, point + #","key_ops":["verify"]"#, point + #","alg":"ES256""#,
            rsa(bits: 2048), rsa(bits: 4096) + #","alg":"RS256""#, rsa(bits: 2048, e: "Aw"),
            rsa(bits: 2048) + #","x5c":[],"x5t":"a","issuer":"b""#,
        ]
    )
    func usableKeys(members: String) throws {
        #expect(try key(members) != nil)
    }

    @Test(
        "a key that must not or cannot verify signatures is skipped",
        arguments: [
            #""kty":"oct","k":"AAAA""#, #""kty":"OKP","crv":"Ed25519","x":"\#(x)""#, #""x":"\#(x)""#,
            point + #","use":"enc""#, point + #","use":1"#, point + #","key_ops":["encrypt"]"#,
            point + #","key_ops":"verify""#, point + #","alg":"ES384""#, point + #","alg":"RS256""#,
            point + #","alg":"ES521""#, point + #","alg":7"#, point + #","kid":7"#, point + #","d":"AAAA""#,
            #""kty":"EC","crv":"secp256k1","x":"\#(x)","y":"\#(y)""#,
            #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(x)""#, #""kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)""#,
            #""kty":"EC","crv":"P-256","x":"\#(x)""#, #""kty":"EC","crv":"P-256","x":"AA\#(x)","y":"\#(y)""#,
            rsa(bits: 1024), rsa(bits: 2040), rsa(bits: 8200), rsa(bits: 2048, e: "AQ"), rsa(bits: 2048, e: "AQAA"),
            rsa(bits: 2048, e: ""), rsa(bits: 2048, e: "AQAAAAAB"), rsa(bits: 2048, e: "AQAB=="),
            rsa(bits: 2048) + #","alg":"RSA-OAEP-256""#, rsa(bits: 2048) + #","alg":"HS256""#,
            #""kty":"RSA","e":"AQAB""#, #""kty":"RSA","n":"","e":"AQAB""#, #""kty":"RSA","n":7,"e":"AQAB""#,
        ]
    )
    func unusableKeys(members: String) throws {
        #expect(try key(members) == nil)
    }

    @Test("a key accepts only its own algorithm or those of its type")
    func keysKeepToTheirAlgorithm() throws {
        let pinned = try #require(try key(Self.rsa(bits: 2048) + #","alg":"RS256""#))
        #expect(JWSAlgorithm.allCases.filter(pinned.accepts) == [.rs256])
        let open = try #require(try key(Self.rsa(bits: 2048)))
        #expect(JWSAlgorithm.allCases.filter(open.accepts) == [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
        let curve = try #require(try key(Self.point))
        #expect(JWSAlgorithm.allCases.filter(curve.accepts) == [.es256])
    }

    @Test("unusable keys do not affect a usable one")
    func strangeKeysAreSkipped() throws {
        let set =
            #"{"keys":[{"kty":"oct","kid":"o","k":"AA"},null,7,{"kty":"EC","crv":"secp256k1","kid":"k"},"#
            + #"{\#(Self.point)},{"kid":"good",\#(Self.point)},{"kid":"r","alg":"RSA-OAEP-256","kty":"RSA"}]}"#
        let keys = try JSONWebKeySet(set.utf8)
        #expect(keys.key(id: "good", for: .es256) != nil)
        #expect(keys.key(id: "o", for: .es256) == nil)
    }

    @Test("two keys with the same id and use are ambiguous, and with different uses each is found")
    func sharedIDs() throws {
        let twice = try JSONWebKeySet(#"{"keys":[{"kid":"a",\#(Self.point)},{"kid":"a",\#(Self.point)}]}"#.utf8)
        #expect(twice.key(id: "a", for: .es256) == nil)
        let mixed = try JSONWebKeySet(
            #"{"keys":[{"kid":"a",\#(Self.point)},{"kid":"a",\#(Self.rsa(bits: 2048))}]}"#.utf8
        )
        #expect(mixed.key(id: "a", for: .es256) != nil)
        #expect(mixed.key(id: "a", for: .rs256) != nil)
    }

    @Test("a key set with a repeated member name is refused")
    func repeatedMembers() {
        #expect(throws: KeySetError.notAKeySet) {
            try JSONWebKeySet(#"{"keys":[{"kid":"a","kid":"b",\#(Self.point)}]}"#.utf8)
        }
    }
}
