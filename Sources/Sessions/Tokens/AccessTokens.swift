import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// Signs and verifies access tokens: JWT, ES256 (RFC 7518 section 3.4), valid for one hour.
package struct AccessTokens: Sendable {
    /// How long a token is valid, in seconds.
    package static let lifetime: TimeInterval = 3600
    /// The largest accepted token, in bytes.
    static let maximumLength = 2048

    package let issuer: String
    package let audience: String
    let environment: DeploymentEnvironment
    let keys: SigningKeys
    let now: @Sendable () -> Date

    package init(
        issuer: String, audience: String, environment: DeploymentEnvironment, keys: SigningKeys,
        now: @escaping @Sendable () -> Date
    ) {
        self.issuer = issuer
        self.audience = audience
        self.environment = environment
        self.keys = keys
        self.now = now
    }

    /// Signs a token for a session with a key that was chosen before the session was written. The token expires no
    /// later than the session and `latest`.
    func sign(
        _ session: SessionRecord, user: UserID, device: DeviceID, at time: Date, until latest: Date?,
        with key: SigningKey
    ) throws(SessionError) -> (token: String, expiresAt: Date) {
        let end = min(time.addingTimeInterval(Self.lifetime), session.expiresAt, latest ?? .distantFuture)
        let claims = AccessClaims(
            issuer: issuer, audience: audience, user: user, session: session.id, device: device,
            environment: environment, authTime: Int(session.authTime.timeIntervalSince1970),
            issuedAt: Int(time.timeIntervalSince1970),
            expiresAt: Int(end.timeIntervalSince1970),
            confirmation: session.key.map(AccessClaims.Confirmation.init)
        )
        guard let payload = try? JSONEncoder().encode(claims) else { throw .corrupted("access token") }
        let signed = "\(key.encodedHeader).\(Base64URL.encode(payload))"
        guard let signature = try? key.privateKey.signature(for: Data(signed.utf8)) else {
            throw .corrupted("access token")
        }
        return (
            "\(signed).\(Base64URL.encode(signature.rawRepresentation))",
            Date(timeIntervalSince1970: TimeInterval(claims.expiresAt))
        )
    }

    /// Verifies form, signature, issuer, audience, environment and expiry. Does not check whether the sender holds the
    /// bound key or whether the session is valid: see `SessionIssuer`.
    func verify(_ token: String) async throws(SessionError) -> AccessClaims {
        guard token.utf8.count <= Self.maximumLength else { throw .invalidToken("too long") }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .invalidToken("not a JWT") }
        guard let fields = try? JSONDecoder().decode(Header.self, from: header), fields.alg == "ES256",
            fields.crit == nil
        else { throw .invalidToken("header") }
        guard let key = try await keys.verificationKey(fields.kid) else { throw .invalidToken("unknown key") }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw .invalidToken("signature") }
        guard let claims = try? JSONDecoder().decode(AccessClaims.self, from: payload) else {
            throw .invalidToken("claims")
        }
        guard claims.issuer == issuer, claims.audience == audience, claims.environment == environment else {
            throw .invalidToken("wrong issuer, audience or environment")
        }
        guard Double(claims.expiresAt) > now().timeIntervalSince1970 else { throw .invalidToken("expired") }
        return claims
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String
        let crit: [String]?
    }
}
