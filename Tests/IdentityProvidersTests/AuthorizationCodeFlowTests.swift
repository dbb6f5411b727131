import Accounts
import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import Transport

@testable import IdentityProviders

/// Tests the authorization URLs and the code exchange at each kind of provider.
@Suite struct AuthorizationCodeFlowTests {
    /// Answers by URL and records the requests.
    private final class Network: HTTPTransport {
        let answers: Mutex<[String: String]>
        let status: Int
        let sent = Mutex<[TransportRequest]>([])

        init(_ answers: [String: String], status: Int = 200) {
            self.answers = Mutex(answers)
            self.status = status
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            sent.withLock { $0.append(request) }
            guard let response = answers.withLock({ $0[request.url] }) else { throw .notSent("no server") }
            return TransportResponse(
                status: status, headers: [.contentType: "application/json"],
                body: AsyncThrowingStream { continuation in
                    continuation.yield(ByteBuffer(string: response))
                    continuation.finish()
                }
            )
        }

        /// Returns the fields of the last form.
        func form() throws -> [String: String] {
            let request = try #require(sent.withLock { $0.last })
            guard case .bytes(let bytes) = request.body else { return [:] }
            var fields: [String: String] = [:]
            for item in URLComponents(string: "?\(String(buffer: bytes))")?.queryItems ?? [] {
                fields[item.name] = item.value
            }
            return fields
        }
    }

    private static let request = AuthorizationRequest(
        state: "s.1", nonce: "n 2", codeChallenge: "c3", requiresReauthentication: false)

    private func flow(
        _ settings: IdentityProviderSettings, _ authentication: ClientAuthentication = .none,
        _ network: Network = Network([:]),
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }
    ) throws -> AuthorizationCodeFlow {
        var settings = settings
        settings.browserClient = BrowserClient(clientID: "web", authentication: authentication)
        return try #require(
            AuthorizationCodeFlow(
                settings: settings, publicURL: "https://photos.example", transport: network, now: now))
    }

    private func parameters(_ location: String) -> [String: String] {
        var found: [String: String] = [:]
        for item in URLComponents(string: location)?.queryItems ?? [] { found[item.name] = item.value }
        return found
    }

    @Test("each provider gets its own authorization URL and parameters, with state, nonce and PKCE")
    func locations() async throws {
        let cases: [(IdentityProviderSettings, String, [String: String?])] = [
            (
                .apple(audiences: ["web"]), "https://appleid.apple.com/auth/authorize?",
                ["response_mode": "form_post", "scope": "name email", "access_type": nil]
            ),
            (
                .google(audiences: ["web"]), "https://accounts.google.com/o/oauth2/v2/auth?",
                ["response_mode": nil, "scope": "openid email profile", "access_type": "offline"]
            ),
            (
                .microsoft(audiences: ["web"]), "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?",
                ["scope": "openid email profile"]
            ),
            (.facebook(audiences: ["web"]), "https://www.facebook.com/v23.0/dialog/oauth?", ["scope": "openid"]),
        ]
        for (settings, prefix, own) in cases {
            let location = try await flow(settings).location(for: Self.request)
            #expect(location.hasPrefix(prefix))
            let found = parameters(location)
            let common: [String: String?] = [
                "client_id": "web", "response_type": "code", "state": "s.1", "nonce": "n 2", "code_challenge": "c3",
                "code_challenge_method": "S256", "prompt": nil,
                "redirect_uri": "https://photos.example/callback/\(settings.name)",
            ]
            for (name, value) in common.merging(own, uniquingKeysWith: { $1 }) {
                #expect(found[name] == value, "\(settings.name) \(name)")
            }
        }
    }

    @Test("an authorization request that asks again shows the account chooser if the provider supports it")
    func requiresReauthentication() async throws {
        let again = AuthorizationRequest(state: "s", nonce: "n", codeChallenge: "c", requiresReauthentication: true)
        let google = try await flow(.google(audiences: ["web"])).location(for: again)
        #expect(parameters(google)["prompt"] == "select_account")
        let apple = try await flow(.apple(audiences: ["web"])).location(for: again)
        #expect(parameters(apple)["prompt"] == nil)
    }

    @Test("a code exchange sends verifier, redirect URI and client secret and returns the tokens")
    func exchange() async throws {
        let url = "https://oauth2.googleapis.com/token"
        let network = Network([url: #"{"id_token":"i","refresh_token":"r","access_token":"a","expires_in":3599}"#])
        let google = try flow(.google(audiences: ["web"]), .secrets(["web": "hush"]), network)
        let tokens = try await google.exchange("the code", verifier: "v")
        #expect(tokens == ExchangedTokens(refreshToken: "r", idToken: "i"))
        #expect(
            try network.form() == [
                "grant_type": "authorization_code", "code": "the code", "code_verifier": "v", "client_id": "web",
                "client_secret": "hush", "redirect_uri": "https://photos.example/callback/google",
            ])
    }

    private static let issuer = "https://id.example/realm"
    private static let discovery = "https://id.example/realm/.well-known/openid-configuration"

    private func document(_ more: String) -> String {
        #"{"issuer":"\#(Self.issuer)","jwks_uri":"https://id.example/keys","authorization_endpoint":"https://id.example/auth?a=b","token_endpoint":"https://id.example/token"\#(more)}"#
    }

    private var anyIssuer: IdentityProviderSettings {
        get throws {
            IdentityProviderSettings(
                name: try #require(ProviderName("realm")), issuers: [Self.issuer],
                keySet: .discovered(issuer: Self.issuer), audiences: ["web"])
        }
    }

    @Test("a discovered issuer uses the endpoints and the secret form of its discovery document")
    func discovered() async throws {
        for (more, isField) in [
            ("", false), (#","token_endpoint_auth_methods_supported":["client_secret_post"]"#, true),
            (#","token_endpoint_auth_methods_supported":["client_secret_basic"]"#, false),
        ] {
            let network = Network([
                Self.discovery: document(more), "https://id.example/token": #"{"id_token":"i"}"#,
            ])
            let realm = try flow(try anyIssuer, .secrets(["web": "hu sh"]), network)
            #expect(try await realm.location(for: Self.request).hasPrefix("https://id.example/auth?a=b&client_id=web&"))
            _ = try await realm.exchange("c", verifier: "v")
            let header = network.sent.withLock { $0.last?.headers[.authorization] }
            #expect(try network.form()["client_secret"] == (isField ? "hu sh" : nil))
            #expect(header == (isField ? nil : "Basic \(Data("web:hu%20sh".utf8).base64EncodedString())"))
            #expect(network.sent.withLock { $0.count { $0.url == Self.discovery } } == 1, "the document is cached")
        }
    }

    @Test("an unreachable issuer leaves the cached document in use and is not asked at every request")
    func away() async throws {
        let clock = TestClock()
        let network = Network([Self.discovery: document("")])
        let realm = try flow(try anyIssuer, .none, network, now: { clock.now })
        _ = try await realm.location(for: Self.request)
        network.answers.withLock { $0 = [:] }
        clock.advance(by: 3601)
        for _ in 0..<5 { _ = try await realm.location(for: Self.request) }
        #expect(network.sent.withLock { $0.count } == 2)
        let unknown = try flow(try anyIssuer, .none, Network([:]))
        await #expect(throws: ProviderTokenError.unavailable("discovery document unavailable")) {
            try await unknown.location(for: Self.request)
        }
    }

    @Test("a discovery document with unsafe endpoints is refused")
    func unsafe() async throws {
        let plain = document("").replacing("https://id.example/auth", with: "http://id.example/auth")
            .replacing("https://id.example/token", with: "http://id.example/token")
        let realm = try flow(try anyIssuer, .none, Network([Self.discovery: plain]))
        await #expect(
            throws: ProviderTokenError.misconfigured("the issuer's discovery document has no authorization endpoint")
        ) { try await realm.location(for: Self.request) }
        await #expect(throws: ProviderTokenError.misconfigured("discovery document without token endpoint")) {
            try await realm.exchange("c", verifier: "v")
        }
    }

    @Test("Facebook's error for an unknown code is a refusal, not a misconfiguration")
    func facebook() async throws {
        let url = "https://graph.facebook.com/v23.0/oauth/access_token"
        for (code, expected) in [(100, ProviderTokenError.refused), (1, .misconfigured("status 400"))] {
            let network = Network(
                [url: #"{"error":{"message":"…","type":"OAuthException","code":\#(code)}}"#], status: 400)
            let facebook = try flow(.facebook(audiences: ["web"]), .secrets(["web": "hush"]), network)
            await #expect(throws: expected) { try await facebook.exchange("c", verifier: "v") }
        }
    }
}
