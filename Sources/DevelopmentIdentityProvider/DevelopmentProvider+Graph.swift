import Crypto
import Foundation
import IdentityProviders
import Secrets

/// The response of `debug_token`.
struct DevelopmentTokenFacts: Encodable {
    let app_id: String
    var type = "USER"
    let expires_at: Int
    let issued_at: Int
    let is_valid: Bool
    var scopes = ["email", "public_profile"]
    let user_id: String
}

extension DevelopmentProvider {
    /// The secret of the provider's default app. It protects nothing: the provider issues tokens for any subject.
    package var appSecret: String { "\(audience)-secret" }

    func classicToken(for person: DevelopmentTokenRequest, client: String) -> String {
        let token = "EAA\(Hex.encode(Data(randomness.bytes(24))))"
        let issuedAt = Int(exactly: now().timeIntervalSince1970.rounded(.down)) ?? 0
        // Facebook's tokens last about two months; a negative lifetime creates an expired token here too.
        let lifetime = person.expiresIn ?? 60 * 86_400
        let grant = DevelopmentClassicTokens.Grant(
            client: client, person: person, issuedAt: issuedAt, expiresAt: issuedAt &+ lifetime
        )
        classicTokens.withLock { $0.add(grant, token: token) }
        return token
    }

    /// Handles `GET debug_token`, with which an app looks up the owner of a token, using its id and secret.
    package func debugToken(query: some Sequence<UInt8>) -> DevelopmentOAuthResponse {
        guard let query = FormParameters(query), query["access_token"] == "\(audience)|\(appSecret)" else {
            return Self.graphError(190)
        }
        guard let token = query["input_token"], let grant = classicTokens.withLock({ $0[token] }) else {
            return Self.graphResponse(
                #"{"data":{"error":{"code":190,"message":"Invalid OAuth access token."},"is_valid":false,"scopes":[]}}"#
            )
        }
        guard grant.client == audience else { return Self.graphError(100) }
        let facts = DevelopmentTokenFacts(
            app_id: grant.client, expires_at: grant.expiresAt, issued_at: grant.issuedAt,
            is_valid: now().timeIntervalSince1970 < TimeInterval(grant.expiresAt), user_id: grant.person.subject
        )
        return Self.graphResponse(["data": facts])
    }

    /// Handles `GET me`, which returns the owner of a token and requires an `appsecret_proof`.
    package func me(query: some Sequence<UInt8>) -> DevelopmentOAuthResponse {
        guard let query = FormParameters(query), let token = query["access_token"],
            let grant = classicTokens.withLock({ $0[token] })
        else { return Self.graphError(190) }
        let proof = HMAC<SHA256>.authenticationCode(
            for: Data(token.utf8), using: SymmetricKey(data: Data(appSecret.utf8))
        )
        guard query["appsecret_proof"] == Hex.encode(Data(proof)) else { return Self.graphError(100) }
        var person = ["id": grant.person.subject]
        person["email"] = grant.person.email
        return Self.graphResponse(person)
    }

    /// Returns the body that Facebook posts to either callback.
    func signedRequest(_ request: DevelopmentEventRequest) throws(DevelopmentProviderError) -> Data {
        struct Payload: Encodable {
            var algorithm = "HMAC-SHA256"
            let issued_at: Int
            let user_id: String
        }
        let payload = Payload(issued_at: Int(now().timeIntervalSince1970), user_id: request.subject)
        let encoded = Base64URL.encode(try Self.json(payload))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(encoded.utf8), using: SymmetricKey(data: Data(appSecret.utf8))
        )
        return Data("signed_request=\(Base64URL.encode(Data(code))).\(encoded)".utf8)
    }

    private static func graphResponse(_ body: some Encodable) -> DevelopmentOAuthResponse {
        guard let body = try? json(body) else { return DevelopmentOAuthResponse(status: 500, body: Data()) }
        return DevelopmentOAuthResponse(status: 200, body: body)
    }

    private static func graphResponse(_ text: String) -> DevelopmentOAuthResponse {
        DevelopmentOAuthResponse(status: 200, body: Data(text.utf8))
    }

    private static func graphError(_ code: Int) -> DevelopmentOAuthResponse {
        let text = #"{"error":{"code":\#(code),"message":"refused","type":"OAuthException"}}"#
        return DevelopmentOAuthResponse(status: 400, body: Data(text.utf8))
    }
}
