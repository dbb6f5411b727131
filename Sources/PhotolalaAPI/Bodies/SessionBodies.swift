import Foundation

/// How an access token is presented, which decides whether possession alone is enough to use it.
public enum TokenType: String, Codable, Sendable, CaseIterable {
    /// The scheme `Authorization: Bearer`.
    case bearer = "Bearer"
    /// The scheme `Authorization: DPoP`, with a DPoP proof by the device's key (RFC 9449).
    case dpop = "DPoP"
}

/// The tokens of one device's session.
public struct Session: Codable, Sendable, Equatable {
    /// The type of both tokens.
    public let tokenType: TokenType
    /// A JWT for `Authorization`; valid for one hour.
    public let accessToken: String
    /// When the access token expires.
    public let accessTokenExpiresAt: Date
    /// An opaque token. Each use replaces it with the one in the response, except that a token bound to the device's
    /// key stays the same.
    public let refreshToken: String
    /// When the session ends, 30 days after the sign-in. Refreshing does not extend it, unless the server lets sessions
    /// with hardware keys last from their last use.
    public let refreshTokenExpiresAt: Date
    /// The device that the session belongs to.
    public let deviceID: DeviceID

    /// Creates a session.
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

    /// Decodes a session. A session stored before `tokenType` existed is decoded as a bearer session.
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

/// Response body of `POST /auth/refresh`.
public struct SessionResponse: Codable, Sendable, Equatable {
    /// The session's new tokens.
    public let session: Session

    /// Creates a response.
    public init(session: Session) { self.session = session }
}

/// Response body of the sign-in calls.
public struct SignedIn: Codable, Sendable, Equatable {
    /// The account.
    public let user: User
    /// The session that was opened on the device.
    public let session: Session
    /// On `POST /auth/continue`: whether the account was created by this call.
    public let isNewUser: Bool?
    /// The links whose pending unlinking this sign-in cancelled; omitted if there are none.
    public let undoneUnlinks: [LinkID]?

    /// Creates a sign-in response.
    public init(user: User, session: Session, isNewUser: Bool? = nil, undoneUnlinks: [LinkID]? = nil) {
        self.user = user
        self.session = session
        self.isNewUser = isNewUser
        self.undoneUnlinks = undoneUnlinks
    }
}

/// Body of `POST /auth/refresh`.
public struct RefreshRequest: Codable, Sendable {
    /// The session's unused refresh token, or the refresh token that is bound to the device's key.
    public let refreshToken: String

    /// Creates a request for new tokens.
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// Body of `POST /auth/signout`; empty if the access token identifies the session to end.
public struct SignOutRequest: Codable, Sendable {
    /// The session's refresh token, for a device whose access token has expired.
    public let refreshToken: String?

    /// Creates a sign-out request.
    public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }
}
