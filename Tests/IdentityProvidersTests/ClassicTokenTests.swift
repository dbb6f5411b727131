import Accounts
import Foundation
import HTTPTypes
import Logging
import NIOCore
import PhotolalaTesting
import Synchronization
import Testing
import Transport

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

/// Tests Facebook's classic access tokens, which are verified with the Graph API.
@Suite struct ClassicTokenTests {
    private static let token = "EAA0123456789abcdefABCDEF"
    private static let now = TestClock().now
    private static let second = Int(now.timeIntervalSince1970)

    /// Returns the response of `debug_token` for a genuine token.
    /// - Parameter changes: replaced values, in JSON; an empty value removes the member.
    private static func facts(_ changes: [String: String] = [:]) -> String {
        let genuine = [
            "app_id": #""4711""#, "type": #""USER""#, "is_valid": "true", "user_id": #""218471""#,
            "issued_at": "\(second - 60)", "expires_at": "\(second + 5_184_000)", "scopes": #"["email"]"#,
        ]
        let members = genuine.merging(changes) { $1 }.filter { !$0.value.isEmpty }.map { #""\#($0)":\#($1)"# }
        return #"{"data":{\#(members.joined(separator: ","))}}"#
    }

    private func verifier(_ graph: GraphStub, isAllowed: Bool = true) -> ProviderVerifiers {
        var settings = IdentityProviderSettings.facebook(audiences: ["4711"])
        var app = FacebookApp(id: "4711", secret: "app-secret")
        app.allowsClassicTokens = isAllowed
        settings.facebookApp = app
        return ProviderVerifiers(settings, transport: graph, logger: Logger(label: "test")) { Self.now }
    }

    private func refusal(_ graph: GraphStub, _ token: String = token) async -> IdentityTokenError? {
        do throws(IdentityTokenError) {
            _ = try await verifier(graph).tokens.verify(token)
            return nil
        } catch {
            return error
        }
    }

    @Test("a token of this app returns its owner and is verified with the app secret and appsecret_proof")
    func genuine() async throws {
        let graph = GraphStub(debug: (200, Self.facts()), me: (200, #"{"id":"218471","email":"bob@gmail.com"}"#))
        let identity = try await verifier(graph).tokens.verify(Self.token)
        #expect(identity.provider == .facebook && identity.subject == "218471" && identity.clientID == "4711")
        #expect(identity.issuedAt == Date(timeIntervalSince1970: TimeInterval(Self.second - 60)))
        #expect(identity.lacksNonceSupport && identity.nonce == nil)
        // Facebook's e-mail addresses are not trusted as verified.
        let email = VerifiedEmail(address: "bob@gmail.com", isVerified: false, isPrivate: false, isTrusted: false)
        #expect(identity.email == email)
        // Both values were computed with openssl.
        let hash = "23b48ffcaa6c91ff97ba65c12181a0c5de333c5d5e26b1929bcadef9f17fb87b"
        let proof = "e69a695802b7244d5e02ec17709d5e2d7c2b8d09bfd4940081d033ae0fb7635b"
        #expect(identity.replayMarker?.id == hash)
        #expect(identity.replayMarker?.expiresAt == identity.issuedAt.addingTimeInterval(660))
        let base = "https://graph.facebook.com/v23.0"
        #expect(
            graph.urls == [
                "\(base)/debug_token?input_token=\(Self.token)&access_token=4711%7Capp-secret",
                "\(base)/me?fields=id%2Cemail&access_token=\(Self.token)&appsecret_proof=\(proof)",
            ])
    }

    @Test(
        "a response with a missing or invalid fact is refused",
        arguments: [
            ("is_valid", "false", IdentityTokenError.ruleNotMet("is_valid")),
            ("is_valid", "\"true\"", .ruleNotMet("is_valid")), ("is_valid", "", .ruleNotMet("is_valid")),
            ("type", "\"PAGE\"", .ruleNotMet("type")), ("type", "\"APP\"", .ruleNotMet("type")),
            ("type", "", .ruleNotMet("type")), ("app_id", "\"4712\"", .wrongAudience), ("app_id", "", .wrongAudience),
            ("app_id", "4711", .wrongAudience), ("user_id", "", .badSubject), ("user_id", "\"\"", .badSubject),
            ("user_id", "218471", .badSubject), ("issued_at", "", .malformed("issued_at")),
            ("issued_at", "1", .notCurrent), ("issued_at", "\"1\"", .malformed("issued_at")),
            ("expires_at", "", .malformed("expires_at")), ("expires_at", "1", .expired),
        ])
    func facts(name: String, value: String, error: IdentityTokenError) async {
        let graph = GraphStub(debug: (200, Self.facts([name: value])), me: (200, #"{"id":"218471"}"#))
        #expect(await refusal(graph) == error)
        #expect(graph.urls.count == 1)
    }

    @Test("a token is accepted for ten minutes, with a leeway of one minute", arguments: [-61, -60, 660, 661])
    func age(seconds: Int) async {
        let facts = Self.facts(["issued_at": "\(Self.second - seconds)"])
        let graph = GraphStub(debug: (200, facts), me: (200, #"{"id":"218471"}"#))
        #expect(await refusal(graph) == ((-60...660).contains(seconds) ? nil : .notCurrent))
    }

    @Test("a token without expiry is accepted while it is recent")
    func endless() async {
        let graph = GraphStub(debug: (200, Self.facts(["expires_at": "0"])), me: (200, #"{"id":"218471"}"#))
        #expect(await refusal(graph) == nil)
    }

    @Test("the mark depends on Facebook's facts, not on the encoding of the token")
    func spelling() async throws {
        let graph = GraphStub(debug: (200, Self.facts()), me: (200, #"{"id":"218471"}"#))
        let verifier = verifier(graph).tokens
        let (one, other) = (try await verifier.verify(Self.token), try await verifier.verify("\(Self.token)ZD"))
        #expect(one.replayMarker?.id == other.replayMarker?.id)
        let later = GraphStub(debug: (200, Self.facts(["issued_at": "\(Self.second)"])), me: (200, #"{"id":"218471"}"#))
        let next = try await self.verifier(later).tokens.verify(Self.token)
        #expect(next.replayMarker?.id != one.replayMarker?.id)
    }

    @Test("a token of another app is refused")
    func otherApp() async throws {
        let other = GraphStub(debug: (400, #"{"error":{"code":100,"message":"(#100) another app"}}"#), me: (200, "{}"))
        #expect(await refusal(other) == .wrongAudience)
    }

    @Test("a token is refused if its owner differs or the app secret is refused")
    func owner() async {
        let other = GraphStub(debug: (200, Self.facts()), me: (200, #"{"id":"218472"}"#))
        #expect(await refusal(other) == .ruleNotMet("id"))
        let refused = GraphStub(debug: (200, Self.facts()), me: (400, #"{"error":{"code":100}}"#))
        #expect(await refusal(refused) == .ruleNotMet("me"))
    }

    @Test(
        "a Facebook error is reported as provider unavailable after at most two requests",
        arguments: [
            (500, "{}", 2), (502, "<html>", 2), (200, "not JSON", 2), (302, "{}", 2), (404, "{}", 2), (200, "{}", 1),
            (400, #"{"error":{"code":4}}"#, 2), (400, #"{"error":{"code":77,"is_transient":true}}"#, 2),
            (400, #"{"error":{"code":190}}"#, 1), (400, #"{"error":{"code":613}}"#, 2),
            (400, #"{"error":{"code":101}}"#, 1),
            (400, #"{"error":{"code":32}}"#, 2), (400, "{}", 2), (200, String(repeating: " ", count: 65 << 10), 2),
        ])
    func failures(status: Int, body: String, requests: Int) async {
        let graph = GraphStub(debug: (status, body), me: (200, "{}"))
        #expect(await refusal(graph) == .providerUnavailable)
        #expect(graph.urls.count == requests)
    }

    @Test("an unreachable Facebook is asked twice")
    func unreachable() async {
        let graph = GraphStub(debug: nil, me: nil)
        #expect(await refusal(graph) == .providerUnavailable)
        #expect(graph.urls.count == 2)
    }

    @Test(
        "text that cannot be a token causes no request",
        arguments: [
            "", "EAA", "EAA0123456789abcdef ABCDEF", "4711|app-secret-of-an-app", "EAA0123456789abcdéfABCDEF",
            "EAA0123456789&access_token=x", "EAA" + String(repeating: "a", count: 1022),
        ])
    func noToken(text: String) async {
        let graph = GraphStub(debug: (200, Self.facts()), me: (200, #"{"id":"218471"}"#))
        #expect(await refusal(graph, text) == .malformed("access token"))
        #expect(graph.urls.isEmpty)
    }

    @Test("classic tokens are refused without a request unless the operator allows them")
    func off() async throws {
        let graph = GraphStub(debug: (200, Self.facts()), me: (200, #"{"id":"218471"}"#))
        await #expect(throws: IdentityTokenError.malformed("segments")) {
            try await verifier(graph, isAllowed: false).tokens.verify(Self.token)
        }
        #expect(graph.urls.isEmpty)
    }

    @Test("both kinds of the development provider's tokens name the same person")
    func bothKinds() async throws {
        let provider = DevelopmentProvider(
            name: .facebook, shape: .facebook, issuer: "http://127.0.0.1/dev", audience: "app",
            key: try VerifierFixture.providerKey.get(), now: { Self.now }, randomness: .system)
        let verifiers = ProviderVerifiers(
            provider.settings, transport: DevelopmentProviderTransport([provider]), logger: Logger(label: "test")
        ) { Self.now }
        let response = try provider.issueToken(DevelopmentTokenRequest(subject: "218471", email: "bob@x.example"))
        let limited = try await verifiers.tokens.verify(response.idToken)
        let classic = try await verifiers.tokens.verify(try #require(response.accessToken))
        #expect(limited.subject == "218471" && classic.subject == "218471")
        #expect(limited.replayMarker == nil && classic.replayMarker != nil)
        let ended = try provider.issueToken(DevelopmentTokenRequest(subject: "218471", expiresIn: -5))
        let foreign = try provider.issueToken(DevelopmentTokenRequest(subject: "218471", audience: "other"))
        for (token, error) in [
            (ended.accessToken, IdentityTokenError.ruleNotMet("is_valid")), (foreign.accessToken, .wrongAudience),
        ] {
            let token = try #require(token)
            await #expect(throws: error) { try await verifiers.tokens.verify(token) }
        }
    }
}

/// The Graph API with configured responses; `nil` if it is unreachable.
private final class GraphStub: HTTPTransport {
    private let debug: (Int, String)?
    private let me: (Int, String)?
    private let asked = Mutex<[String]>([])

    init(debug: (Int, String)?, me: (Int, String)?) { (self.debug, self.me) = (debug, me) }

    var urls: [String] { asked.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        asked.withLock { $0.append(request.url) }
        guard let (status, body) = request.url.contains("/me?") ? me : debug else { throw .notSent("refused") }
        return TransportResponse(
            status: status, headers: [.contentType: "application/json"],
            body: AsyncThrowingStream { continuation in
                continuation.yield(ByteBuffer(string: body))
                continuation.finish()
            })
    }
}
