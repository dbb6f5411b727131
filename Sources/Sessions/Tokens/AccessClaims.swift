import Foundation
import JSONCoding
import JWS
import PhotolalaAPI
import Secrets

/// The claims of an access token (RFC 7519 section 4, RFC 7800 section 3.1, and our own `did`, `env`, `auth_time`).
package struct AccessClaims: Sendable, Equatable {
    package let issuer: String
    package let audience: String
    package let user: UserID
    package let session: SessionID
    package let device: DeviceID
    package let environment: DeploymentEnvironment
    /// When the user last authenticated with a provider identity, in seconds since 1970.
    package let authTime: Int
    package let issuedAt: Int
    package let expiresAt: Int
    /// The key to which the token is bound; `nil` for a bearer token.
    package let confirmation: Confirmation?

    /// Identifies a key (RFC 9449 section 6.1).
    package struct Confirmation: Sendable, Equatable {
        package let jkt: KeyThumbprint
    }
}

extension AccessClaims {
    /// Decodes the payload of a token; `nil` if a claim is missing or malformed.
    init?(_ payload: Data) {
        guard let claims = (try? JSONReader.read(payload))?.object, let issuer = claims["iss"]?.string,
            let audience = claims["aud"]?.string, let user = claims["sub"]?.string.flatMap(UserID.init),
            let session = claims["sid"]?.string.flatMap(SessionID.init),
            let device = claims["did"]?.string.flatMap(DeviceID.init),
            let environment = claims["env"]?.string.flatMap(DeploymentEnvironment.init),
            let authTime = claims["auth_time"]?.integer, let issuedAt = claims["iat"]?.integer,
            let expiresAt = claims["exp"]?.integer
        else { return nil }
        var confirmation: Confirmation?
        if let member = claims["cnf"] {
            guard let key = member.object?["jkt"]?.string.flatMap({ Base64URL.decode($0) }).flatMap(KeyThumbprint.init)
            else { return nil }
            confirmation = Confirmation(jkt: key)
        }
        self.init(
            issuer: issuer, audience: audience, user: user, session: session, device: device, environment: environment,
            authTime: authTime, issuedAt: issuedAt, expiresAt: expiresAt, confirmation: confirmation)
    }

    /// The payload of a token with these claims.
    var payload: [UInt8] {
        var claims = JSONObjectWriter()
        claims.append("iss", issuer)
        claims.append("aud", audience)
        claims.append("sub", user.description)
        claims.append("sid", session.description)
        claims.append("did", device.description)
        claims.append("env", environment.rawValue)
        claims.append("auth_time", authTime)
        claims.append("iat", issuedAt)
        claims.append("exp", expiresAt)
        if let confirmation {
            claims.append("cnf") { $0.append("jkt", confirmation.jkt.description) }
        }
        return claims.finished()
    }
}
