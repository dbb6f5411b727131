import Foundation
import PhotolalaAPI

/// The acts that a device's record keeps for the audit chain, in their order. Read from the record by whoever knows it.
package struct DeviceActs: Sendable {
    package let device: DeviceID
    /// Which record of the device it is: one that is removed and made anew counts from 1 again. `nil` where there is none.
    package let incarnation: UUID?
    package let acts: [DeviceAct]

    package init(device: DeviceID, incarnation: UUID?, acts: [DeviceAct]) {
        self.device = device
        self.incarnation = incarnation
        self.acts = acts
    }
}

/// One act that changed no account.
package struct DeviceAct: Sendable {
    /// Counts the acts of one record from 1 without gaps.
    package let sequence: Int
    package let at: Date
    package let act: AuditAct
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    /// Where it was done.
    package let device: DeviceID?
    /// The device to which it was done.
    package let target: DeviceID?
    /// Of a sign-in: the account did not have the device before.
    package let isNewDevice: Bool?

    package init(
        sequence: Int, at: Date, act: AuditAct, actor: AuditActor, provider: ProviderName?, link: LinkID?,
        device: DeviceID?, target: DeviceID?, isNewDevice: Bool?
    ) {
        self.sequence = sequence
        self.at = at
        self.act = act
        self.actor = actor
        self.provider = provider
        self.link = link
        self.device = device
        self.target = target
        self.isNewDevice = isNewDevice
    }
}

/// How much of a device's record is in the chain.
package struct FoldedActs: Codable, Sendable, Equatable {
    package let device: DeviceID
    package let incarnation: UUID
    /// The last act of that record that is in the chain.
    package let through: Int
}

/// Reads what devices' records keep. A record that cannot be read is left out; a device without one has no acts.
package typealias DeviceActsReader = @Sendable ([DeviceID]) async throws(AccountError) -> [DeviceActs]
