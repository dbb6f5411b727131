import Foundation
import PhotolalaAPI

/// An audit entry as sent to the operator's event receiver. It contains no e-mail address, token, subject or name.
package struct AccountEvent: Sendable, Equatable {
    /// The same each time the event is sent, and unique to the event: derived from its entry's hash, which covers the
    /// whole audit log before it.
    package let id: String
    package let type: EventType
    package let user: UserID
    /// The sequence of the audit entry; orders the events of one account.
    package let sequence: Int
    /// When the action was performed.
    package let at: Date
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    /// The device that the event concerns.
    package let device: DeviceID?
    /// The device on which the action was performed, if different.
    package let byDevice: DeviceID?
    /// The account's tier after the event, if the event concerns the tier.
    package let tier: Tier?
    /// When a requested unlink takes effect.
    package let effectiveAt: Date?
    /// The country of a sign-in, for the e-mail about it; the receiver of events does not get it.
    package let country: CountryCode?

    /// Returns `nil` for an entry that is not sent as an event.
    init?(_ entry: AuditEntry, of user: UserID) {
        guard let type = EventType(entry), let bytes = try? entry.encoded() else { return nil }
        id = "evt_\(AuditEntry.hash(of: bytes).prefix(32))"
        self.type = type
        self.user = user
        sequence = entry.sequence
        at = entry.at
        actor = entry.actor
        provider = entry.provider
        link = entry.link
        device = entry.target ?? entry.device
        byDevice = entry.target == nil ? nil : entry.device
        tier = entry.tier
        effectiveAt = entry.effectiveAt
        country = entry.country
    }
}
