import Foundation

/// A session after reauthentication, with a new access token. The call is authorized by an access token alone, so it
/// never returns a refresh token that is usable without the device's key.
public struct ReauthenticatedSession: Codable, Sendable, Equatable {
    /// The `Authorization` scheme of the session's tokens.
    public let tokenType: TokenType
    /// A JWT for `Authorization` with the new `auth_time`; valid for one hour.
    public let accessToken: String
    /// When the access token expires.
    public let accessTokenExpiresAt: Date
    /// The unchanged refresh token if it is bound to the device's key; otherwise omitted.
    public let refreshToken: String?
    /// When the session ends.
    public let refreshTokenExpiresAt: Date
    /// The device that the session belongs to.
    public let deviceID: DeviceID

    /// Creates the response for a caller that presented only an access token.
    public init(_ session: Session) {
        tokenType = session.tokenType
        accessToken = session.accessToken
        accessTokenExpiresAt = session.accessTokenExpiresAt
        refreshToken = session.tokenType == .dpop ? session.refreshToken : nil
        refreshTokenExpiresAt = session.refreshTokenExpiresAt
        deviceID = session.deviceID
    }
}

/// Response body of `POST /auth/reauthenticate`.
public struct Reauthenticated: Codable, Sendable, Equatable {
    /// The session with its new access token.
    public let session: ReauthenticatedSession

    /// Creates a response.
    public init(session: ReauthenticatedSession) { self.session = session }
}

extension Session {
    /// Returns the session after reauthentication. The current refresh token stays if the response has none.
    public func renewed(by session: ReauthenticatedSession) -> Session {
        Session(
            tokenType: session.tokenType, accessToken: session.accessToken,
            accessTokenExpiresAt: session.accessTokenExpiresAt, refreshToken: session.refreshToken ?? refreshToken,
            refreshTokenExpiresAt: session.refreshTokenExpiresAt, deviceID: session.deviceID)
    }
}
