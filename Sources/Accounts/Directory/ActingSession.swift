import PhotolalaAPI

/// The session that asked for an act. It has to stand at the moment of the act, not only when the request came in: a
/// provider's keys may be fetched between the two.
package struct ActingSession: Sendable {
    package let device: DeviceID
    /// The link that keeps the session open.
    package let link: LinkID
    /// The account's session epoch when the session was opened.
    package let epoch: Int

    package init(device: DeviceID, link: LinkID, epoch: Int) {
        self.device = device
        self.link = link
        self.epoch = epoch
    }
}

extension AccountDocument {
    /// Refuses a session that this account has ended.
    func require(_ session: ActingSession) throws(AccountError) {
        guard sessionEpoch == session.epoch, opensSessions(session.link) else { throw .sessionEnded }
    }
}
