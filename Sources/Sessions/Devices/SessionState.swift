import Foundation
import PhotolalaAPI

/// The state of an account that decides whether its sessions are valid. Declared here because this module does not
/// import `Accounts`.
package struct SessionState: Sendable {
    /// The session epoch; sessions of an earlier epoch are invalid.
    package let epoch: Int
    /// Whether the account is disabled and gets no sessions.
    package let isDisabled: Bool
    /// Returns whether a session that a link opened at a time is valid.
    package let permits: @Sendable (SessionID, LinkID, Date) -> Bool
    /// Returns the earliest start of a session that the link opens now: after those that were ended, even in the same
    /// second.
    package let earliestStart: @Sendable (LinkID) -> Date
    /// Returns which of a device's audit events are in the account's audit log.
    package let logged: @Sendable (DeviceID) -> LoggedAuditEvents?

    package init(
        epoch: Int, isDisabled: Bool, permits: @escaping @Sendable (SessionID, LinkID, Date) -> Bool,
        earliestStart: @escaping @Sendable (LinkID) -> Date,
        logged: @escaping @Sendable (DeviceID) -> LoggedAuditEvents?
    ) {
        self.epoch = epoch
        self.isDisabled = isDisabled
        self.permits = permits
        self.earliestStart = earliestStart
        self.logged = logged
    }
}
