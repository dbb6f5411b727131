import Crypto
import Foundation
import IdentityProviders
import PhotolalaAPI
import Secrets
import Synchronization

/// Simulates Apple, Google or Facebook on the developer's own machine and issues ID tokens for any subject. It does not
/// implement HTTP; the server mounts it, in `dev` and on loopback only. Its tokens pass through the same verifier as
/// real ones.
package final class DevelopmentProvider: Sendable {
    /// The paths of the endpoints, relative to the issuer.
    package enum Path {
        /// The key set.
        package static let keys = "keys"
        package static let discovery = ".well-known/openid-configuration"
        /// Issues a token for any subject, in place of a person's sign-in at a real provider.
        package static let issue = "token"
        /// Creates the body of a webhook event, which a real provider would send on its own.
        package static let event = "event"
        /// The OAuth token endpoint (RFC 6749 section 3.2).
        package static let oauthToken = "oauth/token"
        /// The authorization endpoint (RFC 6749 section 3.1), a page for the person.
        package static let authorize = "oauth/authorize"
        /// The revocation endpoint (RFC 7009).
        package static let oauthRevoke = "oauth/revoke"
        /// The Graph API, limited to the calls about classic access tokens.
        package static let graph = "graph"
        /// Apple's `usermigrationinfo`.
        package static let userMigration = "oauth/usermigrationinfo"
    }

    package let name: ProviderName
    package let issuer: String
    let shape: DevelopmentTokenShape
    let audience: String
    let key: DevelopmentSigningKey
    let now: @Sendable () -> Date
    let randomness: Randomness
    let grants = Mutex(DevelopmentGrants())
    let classicTokens = Mutex(DevelopmentClassicTokens())

    /// - Parameters:
    ///   - issuer: the URL it is mounted at, without a trailing slash; the value of the claim `iss`.
    ///   - audience: the client id of tokens whose request names none.
    package init(
        name: ProviderName, shape: DevelopmentTokenShape, issuer: String, audience: String,
        key: DevelopmentSigningKey, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        self.name = name
        self.shape = shape
        self.issuer = issuer
        self.audience = audience
        self.key = key
        self.now = now
        self.randomness = randomness
    }

    /// The settings that replace the real provider with this one and keep all its rules.
    package var settings: IdentityProviderSettings {
        var settings: IdentityProviderSettings =
            switch shape {
            case .apple: .apple(audiences: [audience])
            case .google: .google(audiences: [audience])
            case .facebook: .facebook(audiences: [audience])
            }
        settings.name = name
        settings.issuers = [issuer]
        settings.keySet = .url("\(issuer)/\(Path.keys)")
        settings.browserClient = BrowserClient(clientID: audience, authentication: .none)
        settings.browserEndpoints.authorizationURL = "\(issuer)/\(Path.authorize)"
        settings.browserEndpoints.tokenURL = "\(issuer)/\(Path.oauthToken)"
        guard shape != .facebook else {
            var app = FacebookApp(id: audience, secret: appSecret)
            app.allowsClassicTokens = true
            app.graphURL = "\(issuer)/\(Path.graph)"
            settings.facebookApp = app
            return settings
        }
        settings.tokenURL = "\(issuer)/\(Path.oauthToken)"
        settings.revokeURL = "\(issuer)/\(Path.oauthRevoke)"
        if shape == .apple { settings.userMigrationURL = "\(issuer)/\(Path.userMigration)" }
        settings.clientAuthentication = ClientAuthentication.none
        return settings
    }

    /// Returns the key set, `application/json`.
    package func keySetDocument() -> Data { key.keySetDocument }

    /// Returns the discovery document (OpenID Connect Discovery section 3), `application/json`.
    package func discoveryDocument() throws(DevelopmentProviderError) -> Data {
        struct Document: Encodable {
            var issuer: String
            var jwks_uri: String
            var authorization_endpoint: String
            var token_endpoint: String
            var revocation_endpoint: String
            var response_types_supported: [String]
            var subject_types_supported = ["public"]
            var id_token_signing_alg_values_supported = ["RS256"]
            var grant_types_supported = ["authorization_code", "refresh_token"]
            var response_modes_supported = ["query", "form_post"]
            var scopes_supported: [String]
            var code_challenge_methods_supported = ["S256"]
            var token_endpoint_auth_methods_supported = ["none", "client_secret_post"]
            var authorization_response_iss_parameter_supported: Bool
        }
        return try Self.json(
            Document(
                issuer: issuer, jwks_uri: "\(issuer)/\(Path.keys)",
                authorization_endpoint: "\(issuer)/\(Path.authorize)",
                token_endpoint: "\(issuer)/\(Path.oauthToken)",
                revocation_endpoint: "\(issuer)/\(Path.oauthRevoke)",
                response_types_supported: shape == .apple ? ["code", "code id_token"] : ["code"],
                scopes_supported: shape == .apple ? ["openid", "name", "email"] : ["openid", "profile", "email"],
                authorization_response_iss_parameter_supported: shape == .google
            )
        )
    }

    /// Issues tokens for a person, like a real provider after the person has signed in there.
    /// - Throws: `DevelopmentProviderError`.
    package func issueToken(
        _ request: DevelopmentTokenRequest
    ) throws(DevelopmentProviderError) -> DevelopmentTokenResponse {
        try issueToken(request, boundTo: nil)
    }

    func issueToken(
        _ request: DevelopmentTokenRequest, boundTo binding: DevelopmentGrants.Binding?
    ) throws(DevelopmentProviderError) -> DevelopmentTokenResponse {
        try request.validate()
        let client = request.audience ?? audience
        let code = "c.\(makeSecret())"
        let idToken = try idToken(for: request, client: client, with: binding == nil ? nil : code)
        let now = now()
        grants.withLock { $0.add(request, client: client, code: code, boundTo: binding, at: now) }
        let accessToken = shape == .facebook ? classicToken(for: request, client: client) : nil
        return DevelopmentTokenResponse(idToken: idToken, authorizationCode: code, accessToken: accessToken)
    }

    /// Returns an ID token.
    /// - Parameter code: the authorization code that is issued with the token in a browser, for its `c_hash` (OpenID
    ///   Connect Core section 3.3.2.11).
    func idToken(
        for person: DevelopmentTokenRequest, client: String, with code: String? = nil
    ) throws(DevelopmentProviderError) -> String {
        let seconds = Int(exactly: now().timeIntervalSince1970.rounded(.down)) ?? 0
        let claims = DevelopmentClaims(
            issuer: issuer, audience: client, issuedAt: seconds, expiresAt: seconds &+ (person.expiresIn ?? 3600),
            codeHash: code.map { Base64URL.encode(Data(SHA256.hash(data: Data($0.utf8))).prefix(16)) },
            shape: shape, person: person
        )
        return try key.sign(try Self.json(claims))
    }

    func makeSecret() -> String { Base64URL.encode(Data(randomness.bytes(24))) }

    static func json(_ value: some Encodable) throws(DevelopmentProviderError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { throw .notEncodable }
        return data
    }
}
