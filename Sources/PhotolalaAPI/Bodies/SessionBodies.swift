import Foundation

/// The tokens of one device's session.
public struct Session: Codable, Sendable, Equatable {
    /// A JWT for `Authorization: Bearer`, good for one hour.
    public let accessToken: String
    /// When the access token ends.
    public let accessTokenExpiresAt: Date
    /// Opaque; used once, then replaced by the answer's.
    public let refreshToken: String
    /// When the session ends for good, 30 days after the sign-in; refreshing does not move it.
    public let refreshTokenExpiresAt: Date
    /// The device whose session it is.
    public let deviceID: DeviceID

    /// Gives a session.
    public init(
        accessToken: String, accessTokenExpiresAt: Date, refreshToken: String, refreshTokenExpiresAt: Date,
        deviceID: DeviceID
    ) {
        self.accessToken = accessToken
        self.accessTokenExpiresAt = accessTokenExpiresAt
        self.refreshToken = refreshToken
        self.refreshTokenExpiresAt = refreshTokenExpiresAt
        self.deviceID = deviceID
    }
}

/// Answer of `POST /auth/refresh` and `POST /auth/reauthenticate`.
public struct SessionAnswer: Codable, Sendable, Equatable {
    /// The session's new tokens.
    public let session: Session

    /// Gives a session.
    public init(session: Session) { self.session = session }
}

/// Answer of the calls that sign in.
public struct SignedIn: Codable, Sendable, Equatable {
    /// The account.
    public let user: User
    /// The session that was opened on the device.
    public let session: Session
    /// On `POST /auth/continue`: whether the account was created by this call.
    public let isNewUser: Bool?

    /// Gives a sign-in.
    public init(user: User, session: Session, isNewUser: Bool? = nil) {
        self.user = user
        self.session = session
        self.isNewUser = isNewUser
    }
}

/// Body of `POST /auth/refresh`.
public struct RefreshRequest: Codable, Sendable {
    /// The session's unused refresh token.
    public let refreshToken: String

    /// Asks for the next tokens.
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// Body of `POST /auth/signout`; empty when the access token says whose session ends.
public struct SignOutRequest: Codable, Sendable {
    /// The session's refresh token, for a device whose access token has ended.
    public let refreshToken: String?

    /// Asks to sign out.
    public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }
}
