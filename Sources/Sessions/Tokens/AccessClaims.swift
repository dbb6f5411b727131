import Foundation
import JWS
import PhotolalaAPI

/// What an access token says (RFC 7519 section 4, RFC 7800 section 3.1, and ours: `did`, `env`, `auth_time`).
package struct AccessClaims: Codable, Sendable, Equatable {
    package let issuer: String
    package let audience: String
    package let user: UserID
    package let session: SessionID
    package let device: DeviceID
    package let environment: DeploymentEnvironment
    /// When the person last proved a provider identity, in seconds since 1970.
    package let authTime: Int
    package let issuedAt: Int
    package let expiresAt: Int
    /// The key that the token is bound to; `nil` for a bearer's.
    package let confirmation: Confirmation?

    /// Names a key (RFC 9449 section 6.1).
    package struct Confirmation: Codable, Sendable, Equatable {
        package let jkt: KeyThumbprint
    }

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case user = "sub"
        case session = "sid"
        case device = "did"
        case environment = "env"
        case authTime = "auth_time"
        case issuedAt = "iat"
        case expiresAt = "exp"
        case confirmation = "cnf"
    }
}
