import Foundation
import JSONCoding
import PhotolalaAPI

/// A pending audit event: an action that changed a device record and no account, stored there until it is flushed to
/// the account's audit log.
package struct PendingAuditEvent: Codable, Sendable, Equatable {
    /// The number of pending events at which a record accepts no sign-in and no authentication until they are flushed.
    /// Ending a session is always possible, and adds at most two events after a sign-in.
    package static let limit = 16

    /// Counts the events of one record from 1 without gaps.
    package let sequence: Int
    /// The id of the call that recorded it.
    let id: UUID
    package private(set) var at: Date
    package let act: AuditAction
    package let provider: ProviderName?
    package let link: LinkID?
    /// The device on which the action was performed, if different.
    package let by: DeviceID?
    /// For a sign-in: `true` if the account did not have the device before, or had removed it; `nil` otherwise.
    package let isNewDevice: Bool?
    /// For a sign-in: the country of the client's address, if it is known.
    package let country: CountryCode?

    /// The event as it is stored.
    var asStored: PendingAuditEvent {
        var event = self
        event.at = at.inWholeSeconds
        return event
    }
}

/// How much of a device record is in the account's audit log. Declared here because this module does not import
/// `Accounts`.
package struct LoggedAuditEvents: Sendable, Equatable {
    package let incarnation: UUID
    /// The sequence of the record's last event in the log.
    package let through: Int

    package init(incarnation: UUID, through: Int) {
        self.incarnation = incarnation
        self.through = through
    }
}
