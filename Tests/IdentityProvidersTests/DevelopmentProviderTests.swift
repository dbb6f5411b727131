import Accounts
import Foundation
import HTTPTypes
import JSONCoding
import JWS
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import Transport

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

@Suite("the development provider")
struct DevelopmentProviderTests {
    private let clock = TestClock()

    private func provider(_ shape: DevelopmentTokenShape) throws -> DevelopmentProvider {
        let name: ProviderName = shape == .apple ? .apple : .google
        return DevelopmentProvider(
            name: name, shape: shape, issuer: "http://127.0.0.1:8080/dev/providers/\(name)", audience: "app",
            key: try VerifierFixture.providerKey.get(), now: { [clock] in clock.now }, randomness: .system
        )
    }

    private func verifier(_ provider: DevelopmentProvider) -> OpenIDTokenVerifier {
        OpenIDTokenVerifier(
            settings: provider.settings, transport: DevelopmentProviderTransport([provider]),
            logger: Logger(label: "test"), now: { [clock] in clock.now }
        )
    }

    private func claims(_ token: String) throws -> [String: JSONValue] {
        try #require(try JSONReader.read(CompactJWS(token).payload).object)
    }

    @Test("tokens pass the verifier of real providers", arguments: [DevelopmentTokenShape.apple, .google])
    func tokensAreVerified(shape: DevelopmentTokenShape) async throws {
        let provider = try provider(shape)
        let request = DevelopmentTokenRequest(subject: "bob\"1", email: "bob@gmail.com", nonce: "n-0S6", name: "Bob")
        let identity = try await verifier(provider).verify(provider.issueToken(request).idToken)
        #expect(identity.clientID == provider.audience)
        #expect(
            identity
                == VerifiedIdentity(
                    provider: provider.name, subject: "bob\"1",
                    email: VerifiedEmail(
                        address: "bob@gmail.com", isVerified: true, isPrivate: false, isTrusted: true
                    ),
                    nonce: "n-0S6", clientID: identity.clientID, issuedAt: clock.now
                )
        )
    }

    @Test("with hosted domains only tokens of their people are accepted, regardless of the address")
    func hostedDomains() async throws {
        let provider = try provider(.google)
        var settings = provider.settings
        settings.hostedDomains = ["example.com"]
        let verifier = OpenIDTokenVerifier(
            settings: settings, transport: DevelopmentProviderTransport([provider]), logger: Logger(label: "test"),
            now: { [clock] in clock.now }
        )
        for (domain, isTaken) in [("example.com", true), ("Example.COM", true), ("other.example", false), (nil, false)]
        {
            let request = DevelopmentTokenRequest(subject: "bob", email: "bob@example.com", hostedDomain: domain)
            let token = try provider.issueToken(request).idToken
            let identity = try? await verifier.verify(token)
            #expect((identity != nil) == isTaken, "\(domain ?? "none")")
        }
    }

    @Test("a token in Apple's form has booleans as strings and no name")
    func appleShape() throws {
        let request = DevelopmentTokenRequest(
            subject: "bob", email: "x@privaterelay.appleid.com", emailVerified: true, isPrivateEmail: true, name: "Bob",
            hostedDomain: "example.com"
        )
        let claims = try claims(provider(.apple).issueToken(request).idToken)
        #expect(claims["email_verified"] == .string("true"))
        #expect(claims["is_private_email"] == .string("true"))
        #expect(claims["nonce_supported"] == .bool(true))
        #expect(claims["auth_time"] == claims["iat"])
        for name in ["name", "hd", "azp", "nonce"] { #expect(claims[name] == nil) }
    }

    @Test("a token in Google's form has azp, plain booleans, a name and the organisation")
    func googleShape() throws {
        let request = DevelopmentTokenRequest(
            subject: "bob", email: "bob@example.com", emailVerified: false, name: "Bob", hostedDomain: "example.com",
            audience: "other-app"
        )
        let claims = try claims(provider(.google).issueToken(request).idToken)
        #expect(claims["email_verified"] == .bool(false))
        #expect(claims["azp"] == .string("other-app"))
        #expect(claims["aud"] == .string("other-app"))
        #expect(claims["name"] == .string("Bob"))
        #expect(claims["hd"] == .string("example.com"))
    }

    @Test("expired tokens and tokens for other clients or issuers are refused")
    func refusedTokens() async throws {
        let provider = try provider(.apple)
        let verifier = verifier(provider)
        let expired = try provider.issueToken(DevelopmentTokenRequest(subject: "bob", expiresIn: -61)).idToken
        await #expect(throws: IdentityTokenError.expired) { try await verifier.verify(expired) }
        let foreign = try provider.issueToken(DevelopmentTokenRequest(subject: "bob", audience: "other")).idToken
        await #expect(throws: IdentityTokenError.wrongAudience) { try await verifier.verify(foreign) }
        let google = try self.provider(.google).issueToken(DevelopmentTokenRequest(subject: "bob")).idToken
        await #expect(throws: IdentityTokenError.wrongIssuer) { try await verifier.verify(google) }
    }

    @Test("requests with values outside the limits are refused")
    func absurdRequests() throws {
        let provider = try provider(.apple)
        let absurd = [
            (DevelopmentTokenRequest(subject: ""), "subject"),
            (DevelopmentTokenRequest(subject: String(repeating: "s", count: 256)), "subject"),
            (DevelopmentTokenRequest(subject: "bob", expiresIn: .max), "expiresIn"),
            (DevelopmentTokenRequest(subject: "bob", expiresIn: .min), "expiresIn"),
            (
                DevelopmentTokenRequest(subject: "bob", nonce: String(repeating: "n", count: 1025)),
                "a string longer than 1,024 bytes"
            ),
        ]
        for (request, reason) in absurd {
            #expect(throws: DevelopmentProviderError.invalidRequest(reason)) { try provider.issueToken(request) }
        }
    }

    @Test("two processes with the same key bytes publish the same key set")
    func theKeySurvives() throws {
        let key = try VerifierFixture.providerKey.get()
        let again = try DevelopmentSigningKey(derRepresentation: key.derRepresentation)
        #expect(again.keySetDocument == key.keySetDocument)
        #expect(again.id == key.id)
        #expect(throws: DevelopmentProviderError.keyUnusable) {
            try DevelopmentSigningKey(derRepresentation: key.derRepresentation.dropLast())
        }
    }

    @Test("the discovery document names the mounted endpoints")
    func discovery() throws {
        let document = try #require(try JSONReader.read(provider(.apple).discoveryDocument()).object)
        let issuer = "http://127.0.0.1:8080/dev/providers/apple"
        #expect(document["issuer"] == .string(issuer))
        #expect(document["jwks_uri"] == .string("\(issuer)/keys"))
        #expect(document["token_endpoint"] == .string("\(issuer)/oauth/token"))
        #expect(document["revocation_endpoint"] == .string("\(issuer)/oauth/revoke"))
        #expect(document["id_token_signing_alg_values_supported"] == .array([.string("RS256")]))
    }

    @Test("the settings keep the real provider's rules and require plain http")
    func settings() throws {
        let settings = try provider(.google).settings
        #expect(settings.emailTrust == .all)
        #expect(settings.problems(allowingPlainHTTP: true).isEmpty)
        #expect(settings.problems(allowingPlainHTTP: false).count == 6)
    }

    @Test("a hundred sign-ins fetch the provider's keys once")
    func requestsAreCounted() async throws {
        let provider = try provider(.apple)
        let transport = DevelopmentProviderTransport([provider])
        let verifier = OpenIDTokenVerifier(
            settings: provider.settings, transport: transport, logger: Logger(label: "test"),
            now: { [clock] in clock.now }
        )
        for number in 0..<100 {
            let token = try provider.issueToken(DevelopmentTokenRequest(subject: "bob\(number)")).idToken
            #expect(try await verifier.verify(token).subject == "bob\(number)")
        }
        #expect(transport.requests == ["http://127.0.0.1:8080/dev/providers/apple/keys"])
        transport.fail(with: .notSent("refused"))
        clock.advance(by: 90_000)
        let late = try provider.issueToken(DevelopmentTokenRequest(subject: "bob")).idToken
        await #expect(throws: IdentityTokenError.providerUnavailable) { try await verifier.verify(late) }
        #expect(transport.requests.count == 2)
    }

    @Test("the OAuth endpoints are reachable through a test transport")
    func reachedThroughTheTransport() async throws {
        let provider = try provider(.google)
        let transport = DevelopmentProviderTransport([provider])
        let code = try provider.issueToken(DevelopmentTokenRequest(subject: "bob")).authorizationCode
        let settings = provider.settings
        func post(_ url: String?, _ form: String) async throws -> Int {
            let request = TransportRequest(
                method: .post, url: try #require(url), body: .bytes(ByteBuffer(string: form))
            )
            return try await transport.send(request).status
        }
        let exchange = "grant_type=authorization_code&client_id=app&code=\(code)"
        #expect(try await post(settings.tokenURL, exchange) == 200)
        #expect(try await post(settings.tokenURL, exchange) == 400)
        #expect(try await post(settings.revokeURL, "token=unknown") == 200)
        #expect(try await post("\(provider.issuer)/elsewhere", "") == 404)
    }
}
