import Foundation
import PhotolalaAPI

/// What an account says about its sessions, in this step's own words.
package struct SessionStanding: Sendable {
    /// Sessions of an earlier epoch are over.
    package let epoch: Int
    /// Whether a session that the link opened at that time may go on.
    package let keeps: @Sendable (SessionID, LinkID, Date) -> Bool
    /// The earliest start of a session that the link opens now: after those that were ended, even in the same second.
    package let earliestStart: @Sendable (LinkID) -> Date
    /// What of a device's acts is in the account's audit chain.
    package let chained: @Sendable (DeviceID) -> ChainedActs?

    package init(
        epoch: Int, keeps: @escaping @Sendable (SessionID, LinkID, Date) -> Bool,
        earliestStart: @escaping @Sendable (LinkID) -> Date,
        chained: @escaping @Sendable (DeviceID) -> ChainedActs?
    ) {
        self.epoch = epoch
        self.keeps = keeps
        self.earliestStart = earliestStart
        self.chained = chained
    }
}
