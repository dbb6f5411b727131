import Foundation
import PhotolalaAPI

/// One act on an account as the operator's own service is told of it. It holds no e-mail address, token, subject or name.
package struct AccountEvent: Sendable, Equatable {
    /// The same whenever the event is sent, and no other event's: made from its entry's hash, which covers the whole
    /// chain before it.
    package let id: String
    package let type: EventType
    package let user: UserID
    /// The entry's, by which the events of one account are in order.
    package let sequence: Int
    /// When the act was done.
    package let at: Date
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    /// The device that the event is about.
    package let device: DeviceID?
    /// Where it was done, if that is another device.
    package let byDevice: DeviceID?
    /// The account's from then on, where the event is about it.
    package let tier: Tier?
    /// When an unlinking that was requested takes effect.
    package let effectiveAt: Date?

    /// Gives `nil` for an entry that is no event.
    init?(_ entry: AuditEntry, of user: UserID) {
        guard let type = EventType(entry), let bytes = try? entry.bytes() else { return nil }
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
    }
}
