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
    /// Throws if this account has ended the session, or if the identity that authenticated in it is no longer linked.
    /// - Throws: `sessionEnded`, `authenticationEnded`.
    func requireValid(_ session: ActingSession, at time: Date) throws(AccountError) {
        guard sessionEpoch == session.epoch,
            isSessionValid(session.id, of: session.link, startedAt: session.startedAt, at: time)
        else { throw .sessionEnded }
        guard session.authority == session.link || isLinked(session.authority, at: time) else {
            throw .authenticationEnded
        }
    }

    /// Returns whether an identity whose link opened or authenticated a session can still sign in.
    package func isLinked(_ link: LinkID, at time: Date) -> Bool {
        links.contains { $0.state == .active && $0.ownsSessions(link) && !isUnlinked($0, at: time) }
    }

    /// Keeps a session alive without its link.
    mutating func retain(_ session: ActingSession, at now: Date) {
        keptSessions.removeAll { $0.expiresAt <= now || $0.session == session.id }
        keptSessions.append(RetainedSession(session: session.id, expiresAt: session.expiresAt))
    }
}
