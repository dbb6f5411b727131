import Foundation

/// The response body of `POST /token` (RFC 6749 section 5.1): the tokens of a session that an app opened in a browser
/// or refreshed.
public struct AppTokens: Codable, Sendable, Equatable {
    /// The access token for the `Authorization` header.
    public let accessToken: String
    /// The `Authorization` scheme of the access token.
    public let tokenType: TokenType
    /// The lifetime of the access token, in seconds.
    public let expiresIn: Int
    /// The token for the next refresh.
    public let refreshToken: String
    /// When the session ends.
    public let refreshTokenExpiresAt: Date
    /// The device that the session belongs to.
    public let deviceID: DeviceID
    /// The account's ID.
    public let userID: UserID

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case refreshTokenExpiresAt = "refresh_token_expires_at"
        case deviceID = "device_id"
        case userID = "user_id"
    }

    /// Creates the response for a session's tokens.
    /// - Parameter time: The current time, from which `expiresIn` is computed.
    public init(_ session: Session, of user: UserID, at time: Date) {
        accessToken = session.accessToken
        tokenType = session.tokenType
        expiresIn = max(0, Int(session.accessTokenExpiresAt.timeIntervalSince(time)))
        refreshToken = session.refreshToken
        refreshTokenExpiresAt = session.refreshTokenExpiresAt
        deviceID = session.deviceID
        userID = user
    }

    /// Returns the session, given the time at which the response was received.
    public func session(at time: Date) -> Session {
        Session(
            tokenType: tokenType, accessToken: accessToken,
            accessTokenExpiresAt: time.addingTimeInterval(TimeInterval(expiresIn)), refreshToken: refreshToken,
            refreshTokenExpiresAt: refreshTokenExpiresAt, deviceID: deviceID
        )
    }
}
