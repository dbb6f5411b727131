import Foundation
import PhotolalaAPI

/// An act that changed a device's record and no account, kept there until the account's audit chain has it.
package struct NotedAct: Codable, Sendable, Equatable {
    /// A record that keeps so many takes no sign-in and no proof: its acts go into the chain first. What ends a session
    /// always finds room, and at most two such acts follow a sign-in.
    package static let limit = 16

    /// Counts the acts of one record from 1 without gaps.
    package let sequence: Int
    /// Of the call that noted it.
    let id: UUID
    package let at: Date
    package let act: AuditAct
    package let provider: ProviderName?
    package let link: LinkID?
    /// The device on which it was done, where that is another.
    package let by: DeviceID?
    /// Of a sign-in: the account did not have the device before, or had removed it; left out otherwise.
    package let isNewDevice: Bool?
}

/// How much of a device's record an account's audit chain has, in this step's own words.
package struct ChainedActs: Sendable, Equatable {
    package let incarnation: UUID
    /// The last act of that record in the chain.
    package let through: Int

    package init(incarnation: UUID, through: Int) {
        self.incarnation = incarnation
        self.through = through
    }
}
