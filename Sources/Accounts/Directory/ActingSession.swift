import Foundation
import PhotolalaAPI

/// The session that requested an operation. It must be valid when the operation is applied, not only when the request
/// arrived: a provider's keys may be fetched in between.
package struct ActingSession: Sendable {
    package let id: SessionID
    package let device: DeviceID
    /// The link that opened the session.
    package let link: LinkID
    /// The link of the identity whose rank decides what the session may change: the session's own, or a younger one if
    /// only that authenticated recently.
    package let authority: LinkID
    /// The account's session epoch when the session was opened.
    package let epoch: Int
    package let startedAt: Date
    package let expiresAt: Date
    /// Reads pending audit events that the account's log may not contain yet.
    let pendingEvents: DeviceAuditEventsReader

    package init(
        id: SessionID, device: DeviceID, link: LinkID, authority: LinkID, epoch: Int, startedAt: Date, expiresAt: Date,
        pendingEvents: @escaping DeviceAuditEventsReader
    ) {
        self.id = id
        self.device = device
        self.link = link
        self.authority = authority
        self.epoch = epoch
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.pendingEvents = pendingEvents
    }
}

extension AccountDocument {
    /// Throws if this account has ended the session.
    func requireValid(_ session: ActingSession, at time: Date) throws(AccountError) {
        guard sessionEpoch == session.epoch,
            isSessionValid(session.id, of: session.link, startedAt: session.startedAt, at: time)
        else { throw .sessionEnded }
    }

    /// Keeps a session alive without its link.
    mutating func retain(_ session: ActingSession, at now: Date) {
        keptSessions.removeAll { $0.expiresAt <= now || $0.session == session.id }
        keptSessions.append(RetainedSession(session: session.id, expiresAt: session.expiresAt))
    }
}
