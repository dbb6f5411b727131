import Crypto
import Foundation
import JSONCoding
import JWS
import PhotolalaTesting
import Secrets
import Testing

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

/// Tests the development provider's authorization endpoint (RFC 6749 section 4.1, RFC 7636) from an app's view.
@Suite struct DevelopmentAuthorizeTests {
    private let clock = TestClock()
    private static let home = "http://127.0.0.1:5000/callback"
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// The example of RFC 7636 appendix B.
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private func provider(_ shape: DevelopmentTokenShape) throws -> DevelopmentProvider {
        DevelopmentProvider(
            name: shape == .apple ? .apple : .google, shape: shape, issuer: "http://127.0.0.1:8080/dev",
            audience: "app",
            key: try VerifierFixture.providerKey.get(), now: { [clock] in clock.now }, randomness: .seeded(1)
        )
    }

    private func query(_ parameters: [String: String?]) -> String.UTF8View {
        var all: [String: String?] = [
            "client_id": "web", "redirect_uri": Self.home, "response_type": "code", "scope": "openid", "state": "s 1&",
            "nonce": "n-1", "code_challenge": Self.challenge, "code_challenge_method": "S256",
        ]
        all.merge(parameters) { _, new in new }
        return FormBody.text(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).utf8
    }

    private func response(_ authorization: DevelopmentAuthorization) throws -> DevelopmentAuthorizationResponse {
        guard case .respond(let response) = authorization else { throw ConformanceFailure("no answer: \(authorization)") }
        return response
    }

    private func members(_ response: DevelopmentAuthorizationResponse) -> [String: String] {
        Dictionary(response.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private func exchange(
        _ code: String, at provider: DevelopmentProvider, _ parameters: [String: String?] = [:]
    ) throws -> [String: JSONValue] {
        var all: [String: String?] = [
            "grant_type": "authorization_code", "client_id": "web", "code": code, "redirect_uri": Self.home,
            "code_verifier": Self.verifier,
        ]
        all.merge(parameters) { _, new in new }
        let form = FormBody.text(all.map { ($0.key, $0.value) })
        return try JSONReader.read(provider.token(form: form.utf8).body).object ?? [:]
    }

    @Test("a sign-in returns a code for the chosen person that is valid once")
    func signIn() throws {
        let provider = try provider(.google)
        guard case .prompt(let request) = provider.authorize(query: query([:])) else {
            throw ConformanceFailure("no sign-in prompt")
        }
        #expect(request.client == "web" && request.redirectURI == Self.home)
        // The page sends the request parameters back.
        let again = FormBody.text(request.parameters.map { ($0.name, $0.value) } + [("person", "bob")])
        let response = try response(provider.decide(form: again.utf8))
        let told = members(response)
        #expect(told["state"] == "s 1&" && told["iss"] == provider.issuer && told["error"] == nil)
        #expect(!response.isForm && response.location.hasPrefix("\(Self.home)?code=c."))
        #expect(response.location.contains("&state=s%201%26"))
        let code = try #require(told["code"])
        let tokens = try exchange(code, at: provider)
        let claims = try #require(try JSONReader.read(CompactJWS(tokens["id_token"]?.string ?? "").payload).object)
        #expect(claims["sub"] == .string("dev-bob") && claims["nonce"] == .string("n-1"))
        #expect(claims["aud"] == .string("web") && claims["email"] == .string("bob@photolala.example"))
        #expect(try exchange(code, at: provider)["error"] == .string("invalid_grant"))
    }

    @Test(
        "a code is refused without its redirect URI, verifier and client",
        arguments: [
            ["code_verifier": nil], ["code_verifier": "another-one-of-43-characters-at-least-it-is-so"],
            ["redirect_uri": nil], ["redirect_uri": "\(home)/"], ["client_id": "other"],
        ] as [[String: String?]])
    func bound(change: [String: String?]) throws {
        let provider = try provider(.google)
        let told = members(try response(provider.decide(form: query(["person": "bob"]))))
        #expect(try exchange(try #require(told["code"]), at: provider, change)["error"] == .string("invalid_grant"))
    }

    @Test("a verifier for a code that was requested without a challenge is refused")
    func downgraded() throws {
        let provider = try provider(.google)
        let asked = query(["person": "bob", "code_challenge": nil, "code_challenge_method": nil])
        let first = try #require(members(try response(provider.decide(form: asked)))["code"])
        #expect(try exchange(first, at: provider)["error"] == .string("invalid_grant"))
        let second = try #require(members(try response(provider.decide(form: asked)))["code"])
        #expect(try exchange(second, at: provider, ["code_verifier": nil])["id_token"] != nil)
    }

    @Test("Apple's response is a form post with the user's name in the first one only")
    func apple() throws {
        let provider = try provider(.apple)
        let asked = query([
            "person": "alice", "response_type": "code id_token", "response_mode": "form_post", "scope": "name email",
        ])
        let first = try response(provider.decide(form: asked))
        let told = members(first)
        #expect(first.isForm && told["iss"] == nil)
        #expect(
            told["user"] == #"{"email":"alice@photolala.example","name":{"firstName":"Alice","lastName":"Example"}}"#)
        let token = try #require(told["id_token"])
        let claims = try #require(try JSONReader.read(CompactJWS(token).payload).object)
        #expect(claims["sub"] == .string("dev-alice") && claims["nonce"] == .string("n-1"))
        let hash = Data(SHA256.hash(data: Data(try #require(told["code"]).utf8))).prefix(16)
        #expect(claims["c_hash"] == .string(Base64URL.encode(hash)))
        #expect(members(try response(provider.decide(form: asked)))["user"] == nil)
    }

    @Test(
        "an invalid request is reported to the app with its state",
        arguments: [
            (DevelopmentTokenShape.google, ["response_type": "token"], "unsupported_response_type"),
            (.google, ["response_type": "code id_token"], "unsupported_response_type"),
            (.google, ["response_type": nil], "unsupported_response_type"),
            (.google, ["response_mode": "fragment"], "invalid_request"),
            (.google, ["scope": "email"], "invalid_request"),
            (.google, ["code_challenge_method": "plain"], "invalid_request"),
            (.google, ["code_challenge": "short"], "invalid_request"),
            (.google, ["code_challenge": nil], "invalid_request"),
            (.google, ["nonce": String(repeating: "n", count: 1025)], "invalid_request"),
            (.apple, [:], "invalid_request"),
            (.apple, ["response_type": "code id_token", "scope": nil], "invalid_request"),
            (.google, ["cancel": "1"], "access_denied"),
            (.apple, ["cancel": "1", "response_mode": "form_post"], "user_cancelled_authorize"),
        ] as [(DevelopmentTokenShape, [String: String?], String)])
    func errors(shape: DevelopmentTokenShape, change: [String: String?], error: String) throws {
        let told = members(try response(provider(shape).decide(form: query(change))))
        #expect(told["error"] == error && told["state"] == "s 1&" && told["code"] == nil)
        #expect((told["iss"] != nil) == (shape == .google))
    }

    @Test(
        "a request with an invalid client or redirect URI sends no response to an app",
        arguments: [
            ["client_id": nil], ["redirect_uri": nil], ["redirect_uri": "https://photos.example/callback"],
            ["redirect_uri": "http://127.0.0.1.evil.example/"], ["redirect_uri": "http://me@localhost/"],
            ["redirect_uri": "http://localhost/#there"], ["redirect_uri": "javascript:alert(1)"],
            ["redirect_uri": "//127.0.0.1/"], ["redirect_uri": "http://localhost/\u{d}\u{a}X: y"],
        ] as [[String: String?]])
    func refused(change: [String: String?]) throws {
        let provider = try provider(.google)
        for authorization in [
            provider.authorize(query: query(change)),
            provider.decide(form: query(change.merging(["person": "bob"]) { $1 })),
        ] {
            guard case .reject = authorization else { throw ConformanceFailure("\(authorization)") }
        }
        guard case .reject = provider.authorize(query: "client_id=a&client_id=b".utf8) else {
            throw ConformanceFailure("a repeated parameter is accepted")
        }
    }

    @Test(
        "another person needs a valid name and address",
        arguments: [
            ("dora", nil, true), ("dora", "dora@gmail.com", true), ("dora", "no address", false), ("", nil, false),
            ("Dora Example", nil, false), (String(repeating: "d", count: 65), nil, false), ("../x", nil, false),
        ] as [(String, String?, Bool)])
    func somebodyElse(name: String, email: String?, isPerson: Bool) throws {
        let provider = try provider(.google)
        let decided = provider.decide(form: query(["person": "other", "name": name, "email": email]))
        guard isPerson else {
            guard case .reject = decided else { throw ConformanceFailure("\(decided)") }
            return
        }
        let code = try #require(members(try response(decided))["code"])
        let token = try #require(try exchange(code, at: provider)["id_token"]?.string)
        let claims = try #require(try JSONReader.read(CompactJWS(token).payload).object)
        #expect(claims["sub"] == .string("dev-\(name)"))
        #expect(claims["email"] == .string(email ?? "\(name)@photolala.example"))
    }
}
