import Foundation
import PhotolalaAPI

/// The session that asked for an act. It has to stand at the moment of the act, not only when the request came in: a
/// provider's keys may be fetched between the two.
package struct ActingSession: Sendable {
    package let id: SessionID
    package let device: DeviceID
    /// The link that opened it.
    package let link: LinkID
    /// The account's session epoch when it was opened.
    package let epoch: Int
    package let startedAt: Date
    package let expiresAt: Date
    /// What devices noted and the account's chain may not have yet.
    let noted: DeviceActsReader

    package init(
        id: SessionID, device: DeviceID, link: LinkID, epoch: Int, startedAt: Date, expiresAt: Date,
        noted: @escaping DeviceActsReader
    ) {
        self.id = id
        self.device = device
        self.link = link
        self.epoch = epoch
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.noted = noted
    }
}

extension AccountDocument {
    /// Refuses a session that this account has ended.
    func require(_ session: ActingSession, at time: Date) throws(AccountError) {
        guard sessionEpoch == session.epoch,
            keeps(session.id, of: session.link, startedAt: session.startedAt, at: time)
        else { throw .sessionEnded }
    }

    /// Lets a session go on without its link.
    mutating func keep(_ session: ActingSession, at now: Date) {
        keptSessions.removeAll { $0.expiresAt <= now || $0.session == session.id }
        keptSessions.append(KeptSession(session: session.id, expiresAt: session.expiresAt))
    }
}
