import Crypto
import Foundation
import Secrets
import Testing

@testable import IdentityProviders

@Suite struct SignedRequestTests {
    private static let payload = #"{"algorithm":"HMAC-SHA256","issued_at":1790000000,"user_id":"218471"}"#

    /// Returns a signed request like those of Facebook.
    private func signed(_ payload: String, secret: String = "secret") -> String {
        let encoded = Base64URL.encode(Data(payload.utf8))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(encoded.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return "\(Base64URL.encode(Data(code))).\(encoded)"
    }

    @Test func `a request signed with the app secret has its subject and issue time`() throws {
        let request = try SignedRequest(signed(Self.payload), secret: "secret")
        #expect(request.subject == "218471")
        #expect(request.issuedAt == Date(timeIntervalSince1970: 1_790_000_000))
    }

    @Test func `the signature is the HMAC of the encoded payload`() throws {
        // Computed with `openssl dgst -sha256 -hmac secret`.
        let text =
            "5bR_WpdbO5yOWCaCIS3bXWaqGMcVW8l4zvT41rZLwqU."
            + "eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsImlzc3VlZF9hdCI6MTc5MDAwMDAwMCwidXNlcl9pZCI6IjIxODQ3MSJ9"
        #expect(try SignedRequest(text, secret: "secret").subject == "218471")
    }

    @Test func `a different or empty secret, or a changed payload, is refused`() {
        let text = signed(Self.payload)
        let other = signed(Self.payload.replacing("218471", with: "218472"))
        let swapped = "\(text.prefix { $0 != "." }).\(other.drop { $0 != "." }.dropFirst())"
        #expect(throws: SignedRequestError.badSignature) { try SignedRequest(text, secret: "other") }
        #expect(throws: SignedRequestError.badSignature) { try SignedRequest(swapped, secret: "secret") }
        #expect(throws: SignedRequestError.badSignature) {
            try SignedRequest(signed(Self.payload, secret: ""), secret: "")
        }
    }

    @Test func `a payload without an algorithm is refused`() {
        #expect(throws: SignedRequestError.algorithmRefused) { try SignedRequest(signed("{}"), secret: "secret") }
    }

    @Test(arguments: ["none", "HMAC-SHA1", ""]) func `another algorithm is refused`(_ name: String) {
        let text = signed(Self.payload.replacing("HMAC-SHA256", with: name))
        #expect(throws: SignedRequestError.algorithmRefused) { try SignedRequest(text, secret: "secret") }
    }

    @Test(arguments: [
        "[]", "x", #"{"algorithm":"HMAC-SHA256"}"#, #"{"algorithm":"HMAC-SHA256","user_id":5,"issued_at":1}"#,
        #"{"algorithm":"HMAC-SHA256","user_id":"","issued_at":1}"#, #"{"algorithm":"HMAC-SHA256","user_id":"1"}"#,
        #"{"algorithm":"HMAC-SHA256","user_id":"1","issued_at":-1}"#,
        #"{"algorithm":"HMAC-SHA256","user_id":"1","user_id":"2","issued_at":1}"#,
    ])
    func `a payload without subject and issue time is refused`(_ payload: String) {
        #expect(throws: SignedRequestError.malformed) { try SignedRequest(signed(payload), secret: "secret") }
    }

    @Test(arguments: ["code", "app_data", "page"])
    func `a request that the same secret signed for a browser page is refused`(_ member: String) {
        let payload = Self.payload.replacing("{", with: #"{"\#(member)":"x","#)
        #expect(throws: SignedRequestError.otherUse) { try SignedRequest(signed(payload), secret: "secret") }
    }

    @Test func `text that is not two base64url parts, or is too large, is refused`() {
        let text = signed(Self.payload)
        for (bad, error) in [
            ("", SignedRequestError.malformed), (".", .badSignature), ("a.b.c", .malformed),
            ("\(text)=", .badSignature),
            (text.replacing(".", with: ""), .malformed), (text + String(repeating: "A", count: 9000), .malformed),
        ] {
            #expect(throws: error, "\(bad.prefix(40))") { try SignedRequest(bad, secret: "secret") }
        }
    }
}
