import Accounts
import Foundation
import PhotolalaAPI
import Transport

/// A provider's token endpoint (RFC 6749 section 3.2) and revocation endpoint (RFC 7009).
package struct OAuthTokenService: ProviderTokenService {
    private let settings: IdentityProviderSettings
    let client: OAuthClient
    let tokenURL: String
    private let revokeURL: String

    /// - Returns: `nil` for a provider without such endpoints, or if the settings have no client authentication for
    ///   them.
    package init?(
        settings: IdentityProviderSettings, transport: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) {
        guard let tokenURL = settings.tokenURL, let revokeURL = settings.revokeURL,
            let authentication = settings.clientAuthentication, let issuer = settings.issuers.first
        else { return nil }
        self.settings = settings
        client = OAuthClient(issuer: issuer, authentication: authentication, transport: transport, now: now)
        self.tokenURL = tokenURL
        self.revokeURL = revokeURL
    }

    package var provider: ProviderName { settings.name }

    package func serves(_ clientID: String) -> Bool {
        settings.audiences.containsBytes(of: clientID) && client.authentication.covers(clientID)
    }

    package func exchange(
        _ code: String, of clientID: String
    ) async throws(ProviderTokenError) -> ExchangedTokens {
        let response = try await client.request(
            tokenURL, clientID,
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", settings.redirectURIs[clientID] ?? settings.redirectURI),
            ]
        )
        let tokens = ExchangedTokens(
            refreshToken: response["refresh_token"], idToken: response["id_token"]
        )
        guard tokens.refreshToken?.utf8.count ?? 0 <= 8192 else {
            throw .unavailable("refresh token larger than 8 KiB")
        }
        return tokens
    }

    package func check(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError) {
        let response = try await client.request(
            tokenURL, clientID, [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        )
        guard response["access_token"] != nil else { throw .unavailable("response without a token") }
    }

    package func revoke(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError) {
        do {
            _ = try await client.request(
                revokeURL, clientID, [("token", refreshToken), ("token_type_hint", "refresh_token")]
            )
        } catch .refused {
            return
        }
    }
}
