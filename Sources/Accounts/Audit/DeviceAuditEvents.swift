import Foundation
import PhotolalaAPI

/// The pending audit events in a device record, in order.
package struct DeviceAuditEvents: Sendable {
    package let device: DeviceID
    /// Identifies the device record: a record that is removed and created again counts from 1 again. `nil` if there is
    /// no record.
    package let incarnation: UUID?
    package let events: [DeviceAuditEvent]

    package init(device: DeviceID, incarnation: UUID?, events: [DeviceAuditEvent]) {
        self.device = device
        self.incarnation = incarnation
        self.events = events
    }
}

/// A pending audit event: an action that did not change the account document.
package struct DeviceAuditEvent: Sendable {
    /// Counts the events of one record from 1 without gaps.
    package let sequence: Int
    package let at: Date
    package let action: AuditAction
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    /// The device on which the action was performed.
    package let device: DeviceID?
    /// The device affected by the action.
    package let target: DeviceID?
    /// `true` for a sign-in on a device that the account did not have before; otherwise `nil`.
    package let isNewDevice: Bool?
    /// For a sign-in: the country of the client's address, if it is known.
    package let country: CountryCode?

    package init(
        sequence: Int, at: Date, action: AuditAction, actor: AuditActor, provider: ProviderName?, link: LinkID?,
        device: DeviceID?, target: DeviceID?, isNewDevice: Bool?, country: CountryCode? = nil
    ) {
        self.sequence = sequence
        self.at = at
        self.action = action
        self.actor = actor
        self.provider = provider
        self.link = link
        self.device = device
        self.target = target
        self.isNewDevice = isNewDevice
        self.country = country
    }
}

/// How many events of a device record are in the audit log.
package struct FlushedAuditEvents: Codable, Sendable, Equatable {
    package let device: DeviceID
    package let incarnation: UUID
    /// The sequence of the record's last event that is in the log.
    package let through: Int
}

/// Reads pending audit events of device records. Omits records that cannot be read; a device without a record has no
/// events.
package typealias DeviceAuditEventsReader = @Sendable ([DeviceID]) async throws(AccountError) -> [DeviceAuditEvents]
