import Accounts
import Foundation
import PhotolalaAPI
import Transport

/// The authorization code flow with PKCE (RFC 6749 section 4.1, RFC 7636, OpenID Connect Core section 3.1) at one
/// provider.
package struct AuthorizationCodeFlow: ProviderAuthorization {
    private let settings: IdentityProviderSettings
    package let clientID: String
    private let redirectURI: String
    private let client: OAuthClient
    private let discovered: DiscoveredEndpoints

    /// - Parameter publicURL: the public URL of this server, without a trailing slash; the provider's responses go to a
    ///   path below it.
    /// - Returns: `nil` for a provider without sign-in in a browser.
    package init?(
        settings: IdentityProviderSettings, publicURL: String, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Date
    ) {
        guard let browserClient = settings.browserClient, let issuer = settings.issuers.first else { return nil }
        self.settings = settings
        clientID = browserClient.clientID
        redirectURI = "\(publicURL)/callback/\(settings.name)"
        client = OAuthClient(
            issuer: issuer, authentication: browserClient.authentication, transport: transport, now: now)
        discovered = DiscoveredEndpoints(issuer: issuer, transport: transport, now: now)
    }

    package var provider: ProviderName { settings.name }
    package var displayName: String { settings.displayName ?? settings.name.description.capitalized }

    package var usesFormPost: Bool { settings.browserEndpoints.usesFormPost }

    /// Accepts any issuer for Microsoft, which has one for each tenant; the ID token names it.
    package func isIssuer(_ issuer: String) -> Bool {
        settings.issuers.containsBytes(of: issuer)
            || settings.issuers.contains { $0.contains(MicrosoftTokenRules.placeholder) }
    }

    package func location(for request: AuthorizationRequest) async throws(ProviderTokenError) -> String {
        let url: String
        if let known = settings.browserEndpoints.authorizationURL {
            url = known
        } else {
            guard let found = try await discovered.document().authorizationURL else {
                throw .misconfigured("the issuer's discovery document has no authorization endpoint")
            }
            url = found
        }
        let query = FormBody.text([
            ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"),
            ("response_mode", usesFormPost ? "form_post" : nil),
            ("scope", settings.browserEndpoints.scopes.joined(separator: " ")), ("state", request.state),
            ("nonce", request.nonce), ("code_challenge", request.codeChallenge), ("code_challenge_method", "S256"),
            ("prompt", request.requiresReauthentication && !usesFormPost ? "select_account" : nil),
            ("access_type", settings.browserEndpoints.asksForRefreshToken ? "offline" : nil),
        ])
        return "\(url)\(url.contains("?") ? "&" : "?")\(query)"
    }

    package func exchange(_ code: String, verifier: String) async throws(ProviderTokenError) -> ExchangedTokens {
        let (url, form): (String, ClientSecretForm)
        if let known = settings.browserEndpoints.tokenURL {
            (url, form) = (known, .field)
        } else {
            let document = try await discovered.document()
            guard let found = document.tokenURL else {
                throw .misconfigured("discovery document without token endpoint")
            }
            (url, form) = (found, document.takesSecretField ? .field : .basic)
        }
        let response = try await client.request(
            url, clientID,
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
                ("code_verifier", verifier),
            ], secretAs: form
        )
        return ExchangedTokens(refreshToken: response["refresh_token"], idToken: response["id_token"])
    }
}
