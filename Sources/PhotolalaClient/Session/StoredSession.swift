import Foundation
import PhotolalaAPI

/// What a device keeps of its session.
struct StoredSession: Codable, Sendable, Equatable {
    /// The only server that the tokens may be shown to.
    let server: String
    let user: UserID
    let session: Session

    func renewed(_ session: Session) -> StoredSession {
        StoredSession(server: server, user: user, session: session)
    }
}
