import PhotolalaAPI

/// What an account says about its sessions, in this step's own words.
package struct SessionStanding: Sendable {
    /// Sessions of an earlier epoch are over.
    package let epoch: Int
    /// Whether a session that the link opened may go on.
    package let opensSessions: @Sendable (LinkID) -> Bool

    package init(epoch: Int, opensSessions: @escaping @Sendable (LinkID) -> Bool) {
        self.epoch = epoch
        self.opensSessions = opensSessions
    }
}
