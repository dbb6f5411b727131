import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/events/{uuid}.json`: an account has unsent events. The account document states which.
package struct EventDelivery: VersionedDocument {
    /// The last rejection by the event receiver.
    package struct Rejection: Codable, Sendable, Equatable {
        package let reason: String
        /// Since when the receiver rejects.
        package let since: Date
    }

    package var version: Int
    package let user: UserID
    /// Whether device records hold pending audit events that must be flushed to the log first.
    package internal(set) var foldsDevices: Bool
    /// The id of the current sender; unique.
    var sender: UUID
    /// Until this time the delivery is leased to the sender, or to no one; afterwards any instance may acquire it.
    package internal(set) var nextTryAt: Date
    /// How often the next event was rejected.
    package internal(set) var tries: Int
    package internal(set) var refusal: Rejection?
    /// The last event that each recipient of security e-mails has got, by the text of the link, while one of them has
    /// not got all.
    package internal(set) var progress: [String: Int]?

    /// The duration of a sender's lease, in seconds.
    static let lease: TimeInterval = 60
    /// The time allowed for one event, in seconds.
    private static let sendTimeout: TimeInterval = 30

    /// Returns whether the delivery is due. A time further ahead than twice the longest pause comes from a wrong clock
    /// and counts as due.
    func isDue(at now: Date) -> Bool {
        nextTryAt <= now || nextTryAt > now.addingTimeInterval(2 * Self.maximumRetryDelay)
    }

    /// Returns whether the lease leaves time for one more event.
    package func hasTime(at now: Date) -> Bool { now.addingTimeInterval(Self.sendTimeout) <= nextTryAt }

    /// The retry schedule of the Standard Webhooks specification, in seconds. The last pause repeats: no event is
    /// dropped.
    private static let retryDelays: [TimeInterval] = [
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, maximumRetryDelay,
    ]
    private static let maximumRetryDelay: TimeInterval = 24 * 3600

    /// Returns the pause after a number of rejections, in seconds, with up to 10% jitter so that deliveries that failed
    /// together are not retried together. At least as long as the receiver requests, up to one day.
    static func retryDelay(after tries: Int, _ refusal: EventRejection, _ randomness: Randomness) -> TimeInterval {
        guard !refusal.isGone else { return maximumRetryDelay }
        let planned = retryDelays[min(max(tries, 1), retryDelays.count) - 1]
        let chance = randomness.bytes(2).reduce(0.0) { ($0 + Double($1)) / 256 }
        return max(planned * (0.9 + 0.2 * chance), min(refusal.retryAfter ?? 0, maximumRetryDelay))
    }
}
