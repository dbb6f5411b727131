import Foundation
import IdentityProviders

extension DevelopmentProvider {
    /// Handles a request to the token endpoint: `authorization_code` and `refresh_token` grants (RFC 6749 sections
    /// 4.1.3 and 6) and, as Apple, `client_credentials` for user migration. `client_id` names the client; its secret is
    /// not checked. A refresh returns no new refresh token, like the real providers.
    /// - Parameter form: the body, `application/x-www-form-urlencoded`.
    package func token(form: some Sequence<UInt8>) -> DevelopmentOAuthResponse {
        guard let form = FormParameters(form) else { return .unreadableForm }
        guard let grantType = form["grant_type"] else { return .missing("grant_type") }
        guard let client = form["client_id"] else { return .missing("client_id") }
        switch grantType {
        case "authorization_code":
            guard let code = form["code"] else { return .missing("code") }
            return exchange(code: code, client: client, form)
        case "client_credentials":
            guard shape == .apple, form["scope"] == "user.migration" else { return .missing("scope") }
            return Self.response(["access_token": "m.\(client)", "token_type": "Bearer"])
        case "refresh_token":
            guard let token = form["refresh_token"] else { return .missing("refresh_token") }
            return refresh(token: token, client: client)
        default: return .error("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
        }
    }

    /// Handles a request to the revocation endpoint (RFC 7009): status 200 also for an unknown token, 400 for a token
    /// of another client.
    package func revoke(form: some Sequence<UInt8>) -> DevelopmentOAuthResponse {
        guard let form = FormParameters(form) else { return .unreadableForm }
        guard let token = form["token"] else { return .missing("token") }
        // Google requires only the token, Apple also the client.
        if shape == .apple, form["client_id"] == nil { return .missing("client_id") }
        let client = form["client_id"]
        return grants.withLock { grants in
            guard let owner = grants.client(ofToken: token) else { return .empty }
            guard client == nil || client == owner else {
                return .error("invalid_grant", "the token was not issued to this client")
            }
            grants.revoke(token: token)
            return .empty
        }
    }

    /// Handles Apple's `usermigrationinfo` in both directions: the transfer id of a subject for another team, and the
    /// subject of a transfer id from another team. Every subject is known; a transferred person gets `moved-` before
    /// the previous id.
    package func userMigration(form: some Sequence<UInt8>) -> DevelopmentOAuthResponse {
        guard let form = FormParameters(form) else { return .unreadableForm }
        guard form["client_id"] != nil else { return .missing("client_id") }
        if let subject = form["sub"] {
            guard form["target"] != nil else { return .missing("target") }
            return Self.response(["transfer_sub": "transfer-\(subject)"])
        }
        guard let id = form["transfer_sub"], id.hasPrefix("transfer-") else { return .missing("transfer_sub") }
        return Self.response(["sub": "moved-\(id.dropFirst("transfer-".count))"])
    }

    private static func response(_ members: [String: String]) -> DevelopmentOAuthResponse {
        guard let body = try? json(members) else { return DevelopmentOAuthResponse(status: 500, body: Data()) }
        return DevelopmentOAuthResponse(status: 200, body: body)
    }

    private func exchange(code: String, client: String, _ form: FormParameters) -> DevelopmentOAuthResponse {
        let (refreshToken, accessToken) = ("r.\(makeSecret())", "a.\(makeSecret())")
        let now = now()
        let grant = grants.withLock {
            $0.redeem(
                code: code, client: client,
                isBound: { $0.matches(redirectURI: form["redirect_uri"], codeVerifier: form["code_verifier"]) },
                refreshToken: refreshToken, accessToken: accessToken, at: now
            )
        }
        guard let grant else {
            return .error(
                "invalid_grant",
                "the code is used, expired, issued to another client, or requested with another "
                    + "redirect_uri or code_challenge")
        }
        return tokenResponse(grant, accessToken: accessToken, refreshToken: refreshToken)
    }

    private func refresh(token: String, client: String) -> DevelopmentOAuthResponse {
        let accessToken = "a.\(makeSecret())"
        let grant = grants.withLock { $0.renew(refreshToken: token, client: client, accessToken: accessToken) }
        guard let grant else { return .error("invalid_grant", "the token is revoked or was issued to another client") }
        return tokenResponse(grant, accessToken: accessToken, refreshToken: nil)
    }

    private func tokenResponse(
        _ grant: DevelopmentGrants.Grant, accessToken: String, refreshToken: String?
    ) -> DevelopmentOAuthResponse {
        struct Tokens: Encodable {
            var access_token: String
            var token_type = "Bearer"
            var expires_in = 3600
            var refresh_token: String?
            var id_token: String
        }
        guard let idToken = try? idToken(for: grant.person, client: grant.client),
            let body = try? Self.json(
                Tokens(access_token: accessToken, refresh_token: refreshToken, id_token: idToken)
            )
        else { return DevelopmentOAuthResponse(status: 500, body: Data()) }
        return DevelopmentOAuthResponse(status: 200, body: body)
    }
}
