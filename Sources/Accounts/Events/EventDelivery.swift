import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/events/{uuid}.json`: an account has events that are still to be sent. Which, its own document says.
package struct EventDelivery: VersionedDocument {
    /// What the other side said when it last refused one.
    package struct Refusal: Codable, Sendable, Equatable {
        package let reason: String
        /// Since when it refuses.
        package let since: Date
    }

    package var version: Int
    package let user: UserID
    /// Acts wait in records of devices: they come into the chain first.
    package internal(set) var foldsDevices: Bool
    /// Whoever is sending: no two have the same.
    var sender: UUID
    /// Until then it is the sender's, or nobody's; after that any copy of the service may take it.
    package internal(set) var nextTryAt: Date
    /// How often the next event was refused.
    package internal(set) var tries: Int
    package internal(set) var refusal: Refusal?

    /// How long whoever takes a delivery has it alone, in seconds.
    static let lease: TimeInterval = 60
    /// What one event may take, in seconds.
    private static let patience: TimeInterval = 30

    /// Whether its time has come. A time further away than any pause comes from a clock that was wrong.
    func isDue(at now: Date) -> Bool { nextTryAt <= now || nextTryAt > now.addingTimeInterval(2 * Self.longestPause) }

    /// Whether its sender has time for one more event.
    package func hasTime(at now: Date) -> Bool { now.addingTimeInterval(Self.patience) <= nextTryAt }

    /// The pauses of the Standard Webhooks specification, in seconds. The last one again and again: no event is given up.
    private static let pauses: [TimeInterval] = [
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, longestPause,
    ]
    private static let longestPause: TimeInterval = 24 * 3600

    /// The pause after so many refusals, in seconds: up to a tenth more or less, so that what failed together is not tried
    /// together. As long as the other side asks for, up to a day.
    static func pause(after tries: Int, _ refusal: EventRefusal, _ randomness: Randomness) -> TimeInterval {
        guard !refusal.isGone else { return longestPause }
        let planned = pauses[min(max(tries, 1), pauses.count) - 1]
        let chance = randomness.bytes(2).reduce(0.0) { ($0 + Double($1)) / 256 }
        return max(planned * (0.9 + 0.2 * chance), min(refusal.retryAfter ?? 0, longestPause))
    }
}
