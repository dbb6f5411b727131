import Foundation

/// A session whose person was authenticated again: a new access token. An access token is all that the call was made with, so
/// it hands out no refresh token that is good without the device's key.
public struct ReauthenticatedSession: Codable, Sendable, Equatable {
    /// Of the session's tokens.
    public let tokenType: TokenType
    /// A JWT for `Authorization`, good for one hour, with the new `auth_time`.
    public let accessToken: String
    /// When the access token ends.
    public let accessTokenExpiresAt: Date
    /// The refresh token, which stays the same, where it is bound to the device's key; else left out.
    public let refreshToken: String?
    /// When the session ends for good.
    public let refreshTokenExpiresAt: Date
    /// The device whose session it is.
    public let deviceID: DeviceID

    /// Gives what a caller gets that presented an access token.
    public init(_ session: Session) {
        tokenType = session.tokenType
        accessToken = session.accessToken
        accessTokenExpiresAt = session.accessTokenExpiresAt
        refreshToken = session.tokenType == .dpop ? session.refreshToken : nil
        refreshTokenExpiresAt = session.refreshTokenExpiresAt
        deviceID = session.deviceID
    }
}

/// Answer of `POST /auth/reauthenticate`.
public struct Reauthenticated: Codable, Sendable, Equatable {
    /// The session with its new access token.
    public let session: ReauthenticatedSession

    /// Gives a session.
    public init(session: ReauthenticatedSession) { self.session = session }
}

extension Session {
    /// The session after its person was authenticated again. Its refresh token stays where the answer has none.
    public func renewed(by answer: ReauthenticatedSession) -> Session {
        Session(
            tokenType: answer.tokenType, accessToken: answer.accessToken,
            accessTokenExpiresAt: answer.accessTokenExpiresAt, refreshToken: answer.refreshToken ?? refreshToken,
            refreshTokenExpiresAt: answer.refreshTokenExpiresAt, deviceID: answer.deviceID)
    }
}
