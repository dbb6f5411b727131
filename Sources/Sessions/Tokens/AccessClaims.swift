import Foundation
import JWS
import PhotolalaAPI

/// The claims of an access token (RFC 7519 section 4, RFC 7800 section 3.1, and our own `did`, `env`, `auth_time`).
package struct AccessClaims: Codable, Sendable, Equatable {
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
