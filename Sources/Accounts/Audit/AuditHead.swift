import Foundation
import PhotolalaAPI

/// The end of an account's audit log, stored in `account.json` so that one write changes the account and its log.
package struct AuditHead: Codable, Sendable, Equatable {
    /// The sequence of the last entry.
    package private(set) var sequence = 0
    /// The hash of the last entry.
    package private(set) var hash = Self.genesisHash
    /// The entries of the last change, whose own objects may not be written yet. The next append writes them first.
    package private(set) var entries: [AuditEntry] = []
    /// The pending audit events that are already in the log, although device records still hold them: one element per
    /// device, at most `maximumTrackedDevices`.
    package var folded: [FlushedAuditEvents] = []
    /// Authenticates the sequence and hash for this account.
    package private(set) var seal = AuditSeal.none

    /// The `previousHash` of the first entry.
    static let genesisHash = String(repeating: "0", count: 64)

    /// An audit event to append.
    package struct Event {
        let action: AuditAction
        var actor = AuditActor.user
        var provider: ProviderName?
        var link: LinkID?
        var device: DeviceID?
        var target: DeviceID?
        var deviceSequence: Int?
        var isNewDevice: Bool?
        var tier: Tier?
        var effectiveAt: Date?
        var reason: OperatorReason?
        var country: CountryCode?
        let at: Date

        package init(
            action: AuditAction, actor: AuditActor = .user, provider: ProviderName? = nil, link: LinkID? = nil,
            device: DeviceID? = nil, target: DeviceID? = nil, deviceSequence: Int? = nil, isNewDevice: Bool? = nil,
            tier: Tier? = nil, effectiveAt: Date? = nil, country: CountryCode? = nil, at: Date
        ) {
            self.action = action
            self.actor = actor
            self.provider = provider
            self.link = link
            self.device = device
            self.target = target
            self.deviceSequence = deviceSequence
            self.isNewDevice = isNewDevice
            self.tier = tier
            self.effectiveAt = effectiveAt
            self.country = country
            self.at = at
        }

        /// Creates an event of an operator's action.
        package init(
            action: AuditAction, reason: OperatorReason, provider: ProviderName? = nil, link: LinkID? = nil,
            effectiveAt: Date? = nil, at: Date
        ) {
            self.init(
                action: action, actor: .support, provider: provider, link: link, effectiveAt: effectiveAt, at: at)
            self.reason = reason
        }
    }

    /// Appends one entry.
    package mutating func append(_ event: Event) throws(AccountError) {
        let entry = AuditEntry(
            sequence: sequence + 1, at: event.at, act: event.action, actor: event.actor, provider: event.provider,
            link: event.link,
            device: event.device, target: event.target, deviceSequence: event.deviceSequence,
            isNewDevice: event.isNewDevice,
            tier: event.tier, effectiveAt: event.effectiveAt, reason: event.reason?.text, country: event.country,
            previousHash: hash
        )
        guard let bytes = try? entry.encoded() else { throw .corrupted("audit entry encoding") }
        sequence = entry.sequence
        hash = AuditEntry.hash(of: bytes)
        entries.append(entry)
    }

    /// Returns the head to store after an append: sealed, and without the entries of the previous change, whose objects
    /// exist.
    func sealed(after before: AuditHead?, of user: UserID, _ sealing: AuditSealer) throws(AccountError) -> AuditHead {
        var head = self
        head.entries.removeFirst(before?.entries.count ?? 0)
        head.seal = try sealing.seal(of: user, sequence: sequence, hash: hash)
        return head
    }
}
