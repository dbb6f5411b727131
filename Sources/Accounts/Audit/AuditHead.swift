import Foundation
import PhotolalaAPI

/// The end of an account's audit chain, kept in `account.json` so that it changes in one step with the act itself.
package struct AuditHead: Codable, Sendable, Equatable {
    /// The last entry's.
    package private(set) var sequence = 0
    /// The hash of the last entry.
    package private(set) var hash = Self.start
    /// The entries of the last change, whose own objects may not be written yet: whoever appends next writes them first.
    package private(set) var entries: [AuditEntry] = []
    /// Which of the acts that devices' records still keep are in the chain already; at most `foldedDevices`.
    package var folded: [FoldedActs] = []
    /// Proves that the service wrote this sequence and hash for this account.
    package private(set) var seal = AuditSeal.none

    /// What the first entry names as the hash before it.
    static let start = String(repeating: "0", count: 64)

    /// An act as it is to be appended.
    struct Act {
        let act: AuditAct
        var actor = AuditActor.user
        var provider: ProviderName?
        var link: LinkID?
        var device: DeviceID?
        var target: DeviceID?
        var deviceSequence: Int?
        var isNewDevice: Bool?
        var tier: Tier?
        var effectiveAt: Date?
        let at: Date
    }

    /// Makes the chain longer by one entry.
    mutating func append(_ act: Act) throws(AccountError) {
        let entry = AuditEntry(
            sequence: sequence + 1, at: act.at, act: act.act, actor: act.actor, provider: act.provider, link: act.link,
            device: act.device, target: act.target, deviceSequence: act.deviceSequence, isNewDevice: act.isNewDevice,
            tier: act.tier, effectiveAt: act.effectiveAt, previousHash: hash
        )
        guard let bytes = try? entry.bytes() else { throw .corrupted("audit entry") }
        sequence = entry.sequence
        hash = AuditEntry.hash(of: bytes)
        entries.append(entry)
    }

    /// As it is written after it was made longer: without the entries of the change before, whose objects are there, and
    /// sealed.
    func written(after before: AuditHead?, of user: UserID, _ sealing: AuditSealing) throws(AccountError) -> AuditHead {
        var head = self
        head.entries.removeFirst(before?.entries.count ?? 0)
        head.seal = try sealing.seal(of: user, sequence: sequence, hash: hash)
        return head
    }
}
