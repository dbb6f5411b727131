import Foundation
import PhotolalaAPI

/// What a device keeps of its session.
struct StoredSession: Codable, Sendable, Equatable {
    /// The only server that the tokens may be shown to.
    let server: String
    let user: UserID
    let session: Session
    /// What the tokens are bound to; `nil` for a bearer's.
    let key: DeviceKey?

    /// - Parameter key: the one that was proven when the session was opened. A server that binds nothing leaves it unused.
    init(server: String, user: UserID, session: Session, key: DeviceKey?) {
        self.server = server
        self.user = user
        self.session = session
        self.key = session.tokenType == .dpop ? key : nil
    }

    func renewed(_ session: Session) -> StoredSession {
        StoredSession(server: server, user: user, session: session, key: key)
    }
}
