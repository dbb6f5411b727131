import Crypto
import Foundation
import PhotolalaAPI
import Secrets
import Synchronization

/// Plays Apple, Google or Facebook on the developer's own machine: it vouches for whomever it is asked to. It knows no HTTP; the
/// server mounts it, in `dev` and on loopback only. Its tokens go through the same verifier as real ones.
package final class DevelopmentProvider: Sendable {
    /// Where things are, below the issuer.
    package enum Path {
        /// The key set.
        package static let keys = "keys"
        package static let discovery = ".well-known/openid-configuration"
        /// Makes a token for anybody: what a person's sign-in is at a real provider.
        package static let issue = "token"
        /// Makes the body of an event for the webhook: what a real provider sends by itself.
        package static let event = "event"
        /// The OAuth token endpoint (RFC 6749 section 3.2).
        package static let oauthToken = "oauth/token"
        /// The authorization endpoint (RFC 6749 section 3.1), a page for the person.
        package static let authorize = "oauth/authorize"
        /// The revocation endpoint (RFC 7009).
        package static let oauthRevoke = "oauth/revoke"
        /// The Graph API, of which it has what is asked about classic access tokens.
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
    ///   - issuer: the address it is mounted at, without a slash at the end; in the claim `iss`.
    ///   - audience: the client id that a token is for when the request names none.
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

    /// The settings that put this provider in the real one's place, with all of the real one's rules.
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

    /// The key set, `application/json`.
    package func keySetDocument() -> Data { key.keySetDocument }

    /// OpenID Connect Discovery section 3, `application/json`.
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

    /// Vouches for a person: what a real provider does when the person has signed in there.
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
        let code = "c.\(secret())"
        let idToken = try idToken(for: request, client: client, with: binding == nil ? nil : code)
        let now = now()
        grants.withLock { $0.add(request, client: client, code: code, boundTo: binding, at: now) }
        let accessToken = shape == .facebook ? classicToken(for: request, client: client) : nil
        return DevelopmentTokenResponse(idToken: idToken, authorizationCode: code, accessToken: accessToken)
    }

    /// - Parameter code: the one that comes with it through a browser, which it names (OpenID Connect Core section
    ///   3.3.2.11).
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

    func secret() -> String { Base64URL.encode(Data(randomness.bytes(24))) }

    static func json(_ value: some Encodable) throws(DevelopmentProviderError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { throw .notEncodable }
        return data
    }
}
