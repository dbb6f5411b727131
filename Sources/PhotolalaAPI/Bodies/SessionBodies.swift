import Foundation

/// How an access token is presented: whether whoever has it may use it.
public enum TokenType: String, Codable, Sendable {
    /// As `Authorization: Bearer`.
    case bearer = "Bearer"
    /// As `Authorization: DPoP`, with a proof of the device's key (RFC 9449).
    case dpop = "DPoP"
}

/// The tokens of one device's session.
public struct Session: Codable, Sendable, Equatable {
    /// Of both tokens.
    public let tokenType: TokenType
    /// A JWT for `Authorization`, good for one hour.
    public let accessToken: String
    /// When the access token ends.
    public let accessTokenExpiresAt: Date
    /// Opaque; used once, then replaced by the answer's. One that is bound to the device's key stays the same.
    public let refreshToken: String
    /// When the session ends for good, 30 days after the sign-in; refreshing does not move it.
    public let refreshTokenExpiresAt: Date
    /// The device whose session it is.
    public let deviceID: DeviceID

    /// Gives a session.
    public init(
        tokenType: TokenType = .bearer, accessToken: String, accessTokenExpiresAt: Date, refreshToken: String,
        refreshTokenExpiresAt: Date, deviceID: DeviceID
    ) {
        self.tokenType = tokenType
        self.accessToken = accessToken
        self.accessTokenExpiresAt = accessTokenExpiresAt
        self.refreshToken = refreshToken
        self.refreshTokenExpiresAt = refreshTokenExpiresAt
        self.deviceID = deviceID
    }

    /// Decodes a session; one without `tokenType` is a bearer's, as devices kept it before there were others.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tokenType = try container.decodeIfPresent(TokenType.self, forKey: .tokenType) ?? .bearer
        accessToken = try container.decode(String.self, forKey: .accessToken)
        accessTokenExpiresAt = try container.decode(Date.self, forKey: .accessTokenExpiresAt)
        refreshToken = try container.decode(String.self, forKey: .refreshToken)
        refreshTokenExpiresAt = try container.decode(Date.self, forKey: .refreshTokenExpiresAt)
        deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
    }
}

/// Answer of `POST /auth/refresh`.
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
    /// The links whose pending unlinking this sign-in undid; left out where it undid none.
    public let undoneUnlinks: [LinkID]?

    /// Gives a sign-in.
    public init(user: User, session: Session, isNewUser: Bool? = nil, undoneUnlinks: [LinkID]? = nil) {
        self.user = user
        self.session = session
        self.isNewUser = isNewUser
        self.undoneUnlinks = undoneUnlinks
    }
}

/// Body of `POST /auth/refresh`.
public struct RefreshRequest: Codable, Sendable {
    /// The session's unused refresh token, or the one that is bound to the device's key.
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
