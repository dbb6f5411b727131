import Accounts
import Foundation
import HTTPTypes
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import Transport

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

@Suite("issuers with a discovery document")
struct DiscoveryTests {
    /// Answers by URL and records the requested URLs.
    private final class Site: HTTPTransport {
        let pages = Mutex<[String: (status: Int, type: String, body: String)]>([:])
        let asked = Mutex<[String]>([])

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            asked.withLock { $0.append(request.url) }
            guard let page = pages.withLock({ $0[request.url] }) else { throw .notSent("refused") }
            return TransportResponse(
                status: page.status, headers: [.contentType: page.type, .location: "https://elsewhere.example/"],
                body: AsyncThrowingStream { continuation in
                    continuation.yield(ByteBuffer(string: page.body))
                    continuation.finish()
                })
        }
    }

    private static let issuer = "https://id.example/realms/photos"
    private static let document = "\(issuer)/.well-known/openid-configuration"
    private static let keys = "https://keys.example/set?v=1"

    private let fixture: VerifierFixture
    private let site = Site()

    init() throws {
        fixture = try VerifierFixture(.apple)
        let set = String(decoding: try VerifierFixture.providerKey.get().keySetDocument, as: UTF8.self)
        site.pages.withLock {
            $0[Self.document] = (200, "application/json", Self.document(Self.issuer, keys: Self.keys))
            $0[Self.keys] = (200, "application/jwk-set+json", set)
        }
    }

    private static func document(_ issuer: String, keys: String) -> String {
        #"{"issuer":"\#(issuer)","jwks_uri":"\#(keys)","id_token_signing_alg_values_supported":["none","HS256"]}"#
    }

    private func verify(issuer: String = issuer) async throws(IdentityTokenError) -> VerifiedIdentity {
        guard let name = ProviderName("corporate") else { throw .malformed("name") }
        let settings = IdentityProviderSettings(
            name: name, issuers: [issuer], keySet: .discovered(issuer: issuer), audiences: ["app"]
        )
        let clock = fixture.clock
        let verifier = OpenIDTokenVerifier(
            settings: settings, transport: site, logger: Logger(label: "test"), now: { clock.now }
        )
        guard let token = try? fixture.token({ $0.claim("iss", "\"\(issuer)\"") }) else { throw .malformed("token") }
        return try await verifier.verify(token)
    }

    private func expectRefusal(_ what: Comment) async {
        await #expect(throws: IdentityTokenError.providerUnavailable, what) { try await verify() }
        #expect(!site.asked.withLock { $0 }.contains("https://elsewhere.example/"))
    }

    @Test("the discovery document leads to the keys, and its algorithms are ignored")
    func discovered() async throws {
        #expect(try await verify().subject == "001.bob")
        #expect(site.asked.withLock { $0 } == [Self.document, Self.keys])
    }

    @Test("a trailing slash of the issuer must match in the discovery document")
    func slash() async throws {
        let issuer = "\(Self.issuer)/"
        await #expect(throws: IdentityTokenError.providerUnavailable) { try await verify(issuer: issuer) }
        site.pages.withLock {
            $0[Self.document] = (200, "application/json", Self.document(issuer, keys: Self.keys))
        }
        #expect(try await verify(issuer: issuer).subject == "001.bob")
    }

    @Test(
        "a discovery document that names another issuer is refused",
        arguments: [
            "https://id.example/realms/other", "\(issuer)/", "https://ID.example/realms/photos", "http://id.example",
            "", "https://evil.example",
        ])
    func otherIssuer(named: String) async throws {
        site.pages.withLock {
            $0[Self.document] = (200, "application/json", Self.document(named, keys: Self.keys))
        }
        await expectRefusal("\(named)")
        #expect(site.asked.withLock { $0 } == [Self.document])
    }

    @Test(
        "an https issuer's keys without https are not fetched", arguments: ["http://keys.example/set", "file:///etc"])
    func plainKeys(keys: String) async throws {
        site.pages.withLock {
            $0[Self.document] = (200, "application/json", Self.document(Self.issuer, keys: keys))
        }
        await expectRefusal("\(keys)")
        #expect(site.asked.withLock { $0 } == [Self.document])
    }

    @Test("redirects, other types, errors, oversized and malformed documents are refused")
    func strangeAnswers() async throws {
        let good = Self.document(Self.issuer, keys: Self.keys)
        let long = String(repeating: " ", count: DiscoveryDocument.maximumSize)
        for page in [
            (302, "application/json", good), (200, "text/html", good), (500, "application/json", good),
            (200, "application/json", good + long), (200, "application/json", "{"), (200, "application/json", "[]"),
            (200, "application/json", #"{"issuer":"\#(Self.issuer)"}"#),
            (200, "application/json", #"{"issuer":["\#(Self.issuer)"],"jwks_uri":"\#(Self.keys)"}"#),
            (200, "application/json", #"{"issuer":"x","issuer":"\#(Self.issuer)","jwks_uri":"\#(Self.keys)"}"#),
        ] {
            site.pages.withLock { $0[Self.document] = page }
            await expectRefusal("\(page.0) \(page.1) \(page.2.prefix(60))")
        }
    }

    @Test("a token without key id is verified only if the settings allow it and there is one key")
    func noKeyID() async throws {
        let set = String(decoding: try VerifierFixture.providerKey.get().keySetDocument, as: UTF8.self)
        let other = String(decoding: try VerifierFixture.strangerKey.get().keySetDocument, as: UTF8.self)
        let two = "\(set.dropLast(2)),\(other.drop { $0 != "[" }.dropFirst())"
        for (keys, allowed, isGood) in [
            (set, true, true), (set, false, false), (two, true, false), (other, true, false),
        ] {
            site.pages.withLock { $0[Self.keys] = (200, "application/json", keys) }
            var settings = IdentityProviderSettings(
                name: .google, issuers: [Self.issuer], keySet: .url(Self.keys), audiences: ["app"]
            )
            settings.allowsTokensWithoutKeyID = allowed
            let verifier = OpenIDTokenVerifier(
                settings: settings, transport: site, logger: Logger(label: "test"),
                now: { [fixture] in fixture.clock.now })
            let token = try fixture.token { draft in
                draft.header("kid", nil)
                draft.claim("iss", "\"\(Self.issuer)\"")
            }
            #expect((try? await verifier.verify(token))?.subject == (isGood ? "001.bob" : nil))
        }
    }

    @Test("a token of another issuer causes no request")
    func strangers() async throws {
        await #expect(throws: IdentityTokenError.wrongIssuer) {
            let name = try #require(ProviderName("corporate"))
            let settings = IdentityProviderSettings(
                name: name, issuers: [Self.issuer], keySet: .discovered(issuer: Self.issuer), audiences: ["app"]
            )
            let verifier = OpenIDTokenVerifier(
                settings: settings, transport: site, logger: Logger(label: "test"),
                now: { [fixture] in fixture.clock.now })
            return try await verifier.verify(fixture.token { $0.claim("iss", #""https://evil.example""#) })
        }
        #expect(site.asked.withLock { $0 } == [])
    }
}
