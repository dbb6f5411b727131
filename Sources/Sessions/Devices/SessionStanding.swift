import Foundation
import PhotolalaAPI

/// What an account says about its sessions, in this step's own words.
package struct SessionStanding: Sendable {
    /// Sessions of an earlier epoch are over.
    package let epoch: Int
    /// Whether a session that the link opened at that time may go on.
    package let keeps: @Sendable (SessionID, LinkID, Date) -> Bool
    /// What of a device's acts is in the account's audit chain.
    package let chained: @Sendable (DeviceID) -> ChainedActs?

    package init(
        epoch: Int, keeps: @escaping @Sendable (SessionID, LinkID, Date) -> Bool,
        chained: @escaping @Sendable (DeviceID) -> ChainedActs?
    ) {
        self.epoch = epoch
        self.keeps = keeps
        self.chained = chained
    }
}
