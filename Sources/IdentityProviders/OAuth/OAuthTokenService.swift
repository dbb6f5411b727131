import Accounts
import Foundation
import HTTPTypes
import JWS
import NIOCore
import PhotolalaAPI
import Transport

/// A provider's token endpoint (RFC 6749 section 3.2) and revocation endpoint (RFC 7009).
package struct OAuthTokenService: ProviderTokenService {
    /// Largest answer read, in bytes.
    static let maximumSize = 64 << 10
    /// How long one call may take.
    static let timeout = Duration.seconds(10)

    private let settings: IdentityProviderSettings
    private let issuer: String
    let tokenURL: String
    private let revokeURL: String
    private let authentication: ClientAuthentication
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    /// - Returns: `nil` for a provider without such endpoints, or where the settings do not say how we prove ourselves
    ///   there.
    package init?(
        settings: IdentityProviderSettings, transport: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) {
        guard let tokenURL = settings.tokenURL, let revokeURL = settings.revokeURL,
            let authentication = settings.clientAuthentication, let issuer = settings.issuers.first
        else { return nil }
        self.settings = settings
        self.issuer = issuer
        self.tokenURL = tokenURL
        self.revokeURL = revokeURL
        self.authentication = authentication
        self.transport = transport
        self.now = now
    }

    package var provider: ProviderName { settings.name }

    package func serves(_ clientID: String) -> Bool {
        settings.audiences.containsBytes(of: clientID) && authentication.covers(clientID)
    }

    package func exchange(
        _ code: String, of clientID: String
    ) async throws(ProviderTokenError) -> ExchangedTokens {
        let answer = try await ask(
            tokenURL, clientID,
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", settings.redirectURIs[clientID] ?? settings.redirectURI),
            ]
        )
        let tokens = ExchangedTokens(
            refreshToken: answer["refresh_token"], idToken: answer["id_token"]
        )
        guard tokens.refreshToken?.utf8.count ?? 0 <= 8192 else { throw .unavailable("an endless refresh token") }
        return tokens
    }

    package func check(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError) {
        let answer = try await ask(
            tokenURL, clientID, [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        )
        guard answer["access_token"] != nil else { throw .unavailable("an answer without a token") }
    }

    package func revoke(_ refreshToken: String, of clientID: String) async throws(ProviderTokenError) {
        do {
            _ = try await ask(
                revokeURL, clientID, [("token", refreshToken), ("token_type_hint", "refresh_token")]
            )
        } catch .refused {
            return
        }
    }

    /// Sends a form as this client.
    /// - Parameter accessToken: where the endpoint wants one, beside the form.
    /// - Returns: the texts of the answer; none when it has no body.
    func ask(
        _ url: String, _ clientID: String, _ parameters: [(name: String, value: String?)], accessToken: String? = nil
    ) async throws(ProviderTokenError) -> [String: String] {
        let secret: String?
        do {
            secret = try authentication.secret(of: clientID, for: issuer, at: now())
        } catch {
            throw .misconfigured("no client secret can be made")
        }
        let form = parameters + [("client_id", clientID), ("client_secret", secret)]
        var headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .accept: "application/json",
        ]
        if let accessToken { headers[.authorization] = "Bearer \(accessToken)" }
        let request = TransportRequest(
            method: .post, url: url, headers: headers,
            body: .bytes(FormBody.encode(form)), timeout: Self.timeout
        )
        let status: Int
        let members: [String: JSONValue]?
        do {
            let response = try await transport.send(request)
            let body = try await response.collect(limit: Self.maximumSize)
            status = response.status
            members = body.readableBytes == 0 ? [:] : (try? JSONReader.read(body.readableBytesView))?.object
        } catch {
            throw .unavailable("\(error)")
        }
        guard status != 200 else {
            guard let members else { throw .unavailable("an answer that is no JSON object") }
            return members.compactMapValues(\.string)
        }
        throw Self.refusal(status, members?["error"]?.string)
    }

    /// What an error answer means (RFC 6749 section 5.2). Google names a token that it does not know `invalid_token`.
    private static func refusal(_ status: Int, _ code: String?) -> ProviderTokenError {
        guard status == 400 || status == 401 else { return .unavailable("status \(status)") }
        switch code {
        case "invalid_grant", "invalid_token": return .refused
        case let code? where code.utf8.count <= 64 && code.utf8.allSatisfy { (0x21...0x7e).contains($0) }:
            return .misconfigured(code)
        default: return .misconfigured("status \(status)")
        }
    }
}
