import Foundation
import PhotolalaAPI

/// The stored session of a device.
struct StoredSession: Codable, Sendable, Equatable {
    /// The only server to which the tokens may be sent.
    let server: String
    let user: UserID
    let session: Session
    /// The key that the tokens are bound to; `nil` for bearer tokens.
    let key: DeviceKey?
    /// The identity that opened the session, if the app knows the provider's ID of the user.
    let identity: ProviderIdentity?

    /// - Parameter key: The key that was proven when the session was opened. Ignored if the server did not bind the
    ///   tokens.
    init(server: String, user: UserID, session: Session, key: DeviceKey?, identity: ProviderIdentity? = nil) {
        self.server = server
        self.user = user
        self.session = session
        self.key = session.tokenType == .dpop ? key : nil
        self.identity = identity
    }

    func renewed(_ session: Session) -> StoredSession {
        StoredSession(server: server, user: user, session: session, key: key, identity: identity)
    }

    /// Returns whether the session has the refresh token of another state of it.
    func continues(_ other: StoredSession) -> Bool {
        server == other.server && user == other.user && session.refreshToken == other.session.refreshToken
    }

    func keepingAccessToken(of other: StoredSession) -> StoredSession {
        renewed(
            Session(
                tokenType: session.tokenType, accessToken: other.session.accessToken,
                accessTokenExpiresAt: other.session.accessTokenExpiresAt, refreshToken: session.refreshToken,
                refreshTokenExpiresAt: session.refreshTokenExpiresAt, deviceID: session.deviceID))
    }
}

/// A provider's user.
struct ProviderIdentity: Codable, Sendable, Equatable {
    let provider: ProviderName
    let subject: String
}
