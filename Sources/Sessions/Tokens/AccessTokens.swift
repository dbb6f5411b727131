import Crypto
import Foundation
import JWS
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
    private let verifiedTokens = VerifiedTokens()
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
        let signed = "\(key.encodedHeader).\(Base64URL.encode(claims.payload))"
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
        let digest = SHA256.hash(data: Data(token.utf8))
        if let known = verifiedTokens[digest], try await keys.verificationKey(known.keyID) != nil {
            return try requireCurrent(known.claims)
        }
        guard let token = try? CompactJWS(token, maximumSize: Self.maximumLength) else {
            throw .invalidToken("not a JWT")
        }
        guard token.header.algorithm == "ES256", let keyID = token.header.keyID else { throw .invalidToken("header") }
        guard let key = try await keys.verificationKey(keyID) else { throw .invalidToken("unknown key") }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
            key.isValidSignature(signature, for: token.signingInput)
        else { throw .invalidToken("signature") }
        guard let claims = AccessClaims(token.payload) else { throw .invalidToken("claims") }
        guard claims.issuer == issuer, claims.audience == audience, claims.environment == environment else {
            throw .invalidToken("wrong issuer, audience or environment")
        }
        verifiedTokens.insert(VerifiedTokens.Entry(keyID: keyID, claims: claims), digest)
        return try requireCurrent(claims)
    }

    private func requireCurrent(_ claims: AccessClaims) throws(SessionError) -> AccessClaims {
        guard Double(claims.expiresAt) > now().timeIntervalSince1970 else { throw .invalidToken("expired") }
        return claims
    }
}
