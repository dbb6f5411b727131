import Foundation

/// Answer of `POST /token` (RFC 6749 section 5.1): the tokens of a session that an app opened in a browser, or refreshed.
public struct AppTokens: Codable, Sendable, Equatable {
    /// For the `Authorization` header.
    public let accessToken: String
    /// How it is presented.
    public let tokenType: TokenType
    /// Seconds.
    public let expiresIn: Int
    /// For the next one.
    public let refreshToken: String
    /// When the session ends.
    public let refreshTokenExpiresAt: Date
    /// The device that the session is on.
    public let deviceID: DeviceID
    /// The account.
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

    /// Gives the tokens of a session.
    public init(_ session: Session, of user: UserID, at time: Date) {
        accessToken = session.accessToken
        tokenType = session.tokenType
        expiresIn = max(0, Int(session.accessTokenExpiresAt.timeIntervalSince(time)))
        refreshToken = session.refreshToken
        refreshTokenExpiresAt = session.refreshTokenExpiresAt
        deviceID = session.deviceID
        userID = user
    }

    /// The session, as it was given at a time.
    public func session(at time: Date) -> Session {
        Session(
            tokenType: tokenType, accessToken: accessToken,
            accessTokenExpiresAt: time.addingTimeInterval(TimeInterval(expiresIn)), refreshToken: refreshToken,
            refreshTokenExpiresAt: refreshTokenExpiresAt, deviceID: deviceID
        )
    }
}
