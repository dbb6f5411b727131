import Foundation
import JSONCoding
import JWS
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

@Suite("the development provider's OAuth endpoints")
struct DevelopmentOAuthTests {
    private let clock = TestClock()
    private let provider: DevelopmentProvider

    init() throws {
        let clock = clock
        provider = DevelopmentProvider(
            name: .apple, shape: .apple, issuer: "http://127.0.0.1:1", audience: "app",
            key: try VerifierFixture.providerKey.get(), now: { clock.now }, randomness: .system
        )
    }

    private func code() throws -> String {
        try provider.issueToken(DevelopmentTokenRequest(subject: "bob")).authorizationCode
    }

    private func token(_ form: String) throws -> (Int, [String: JSONValue]) {
        let response = provider.token(form: form.utf8)
        return (response.status, try #require(try JSONReader.read(response.body).object))
    }

    private func error(_ form: String) throws -> String {
        let (status, members) = try token(form)
        #expect(status == 400)
        return try #require(members["error"]?.string)
    }

    @Test("a code is exchanged for tokens only once")
    func codesAreSingleUse() throws {
        let form = "grant_type=authorization_code&code=\(try code())&client_id=app&client_secret=x%20y"
        let (status, members) = try token(form)
        #expect(status == 200)
        #expect(members["token_type"] == .string("Bearer"))
        #expect(members["expires_in"] == .number(3600))
        let idToken = try #require(members["id_token"]?.string)
        #expect(try OpenIDClaims(CompactJWS(idToken).payload).subject == "bob")
        let refresh = try #require(members["refresh_token"]?.string)
        #expect(try token("grant_type=refresh_token&client_id=app&refresh_token=\(refresh)").0 == 200)
        #expect(try error(form) == "invalid_grant")
        // RFC 6749 section 4.1.2: the second use of a code revokes the tokens of the first.
        #expect(try error("grant_type=refresh_token&client_id=app&refresh_token=\(refresh)") == "invalid_grant")
    }

    @Test("a code expires after five minutes")
    func codesExpire() throws {
        let (early, late) = (try code(), try code())
        clock.advance(by: 299)
        #expect(try token("grant_type=authorization_code&code=\(early)&client_id=app").0 == 200)
        clock.advance(by: 1)
        #expect(try error("grant_type=authorization_code&code=\(late)&client_id=app") == "invalid_grant")
    }

    @Test("a code is refused for another client and remains valid for its own")
    func codesBelongToAClient() throws {
        let code = try code()
        #expect(try error("grant_type=authorization_code&code=\(code)&client_id=other") == "invalid_grant")
        #expect(try token("grant_type=authorization_code&code=\(code)&client_id=app").0 == 200)
    }

    @Test("a refresh returns a new ID token and no new refresh token")
    func refreshes() throws {
        let first = try token("grant_type=authorization_code&code=\(try code())&client_id=app").1
        let refresh = try #require(first["refresh_token"]?.string)
        clock.advance(by: 86_400)
        let second = try token("grant_type=refresh_token&client_id=app&refresh_token=\(refresh)").1
        #expect(second["refresh_token"] == nil)
        #expect(second["access_token"] != first["access_token"])
        let idToken = try #require(second["id_token"]?.string)
        #expect(try OpenIDClaims(CompactJWS(idToken).payload).issuedAt == clock.now)
    }

    @Test("revoking a token ends the grant, and revoking a revoked or unknown token succeeds")
    func revocation() throws {
        for kind in ["refresh_token", "access_token"] {
            let tokens = try token("grant_type=authorization_code&code=\(try code())&client_id=app").1
            let given = try #require(tokens[kind]?.string)
            let refresh = try #require(tokens["refresh_token"]?.string)
            #expect(provider.revoke(form: "token=\(given)&client_id=other".utf8).status == 400)
            for _ in 0..<2 {
                let response = provider.revoke(form: "token=\(given)&client_id=app&token_type_hint=\(kind)".utf8)
                #expect(response == .empty)
            }
            #expect(try error("grant_type=refresh_token&client_id=app&refresh_token=\(refresh)") == "invalid_grant")
        }
        #expect(provider.revoke(form: "token=unknown&client_id=app".utf8) == .empty)
        #expect(provider.revoke(form: "client_id=app".utf8).status == 400)
        #expect(provider.revoke(form: "token=unknown".utf8).status == 400)
    }

    @Test(
        "an invalid request returns the error code of RFC 6749",
        arguments: [
            ("", "invalid_request"), ("grant_type=authorization_code&client_id=app", "invalid_request"),
            ("grant_type=authorization_code&code=c", "invalid_request"), ("client_id=app&code=c", "invalid_request"),
            ("grant_type=refresh_token&client_id=app", "invalid_request"), ("grant_type=%zz", "invalid_request"),
            ("grant_type=%ff", "invalid_request"), ("grant_type=%4", "invalid_request"),
            ("grant_type=password&client_id=app", "unsupported_grant_type"),
            ("grant_type=refresh_token&grant_type=refresh_token&client_id=app&refresh_token=x", "invalid_request"),
            ("grant_type=authorization_code&client_id=app&code=never-issued", "invalid_grant"),
        ]
    )
    func badRequests(form: String, expected: String) throws {
        #expect(try error(form) == expected)
    }

    @Test("a form is percent-decoded and refused beyond 64 KiB")
    func forms() throws {
        let form = try #require(FormParameters("a=b+c%2B%C3%A9&empty=&flag&x=1=2".utf8))
        #expect(form["a"] == "b c+é")
        #expect(form["x"] == "1=2")
        #expect(form["empty"] == nil)
        #expect(form["flag"] == nil)
        #expect(FormParameters(repeatElement(UInt8(ascii: "a"), count: 64 * 1024 + 1)) == nil)
        let name = String(repeating: "a", count: 256)
        #expect(FormParameters("\(name)=1".utf8)?[name] == "1")
        #expect(FormParameters("\(name)a=1".utf8) == nil)
        #expect(FormParameters("\(String(repeating: "%CC%81", count: 129))=1".utf8) == nil)
    }
}
