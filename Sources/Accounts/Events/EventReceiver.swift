import Foundation

/// Sends events to the operator's event receiver.
package protocol EventReceiver: Sendable {
    /// Sends one event, once, and returns when the receiver has accepted it. Lasts at most 20 seconds.
    /// - Throws: `EventRejection`; the receiver may have the event nevertheless.
    func receive(_ event: AccountEvent) async throws(EventRejection)
}

/// A rejected event.
package struct EventRejection: Error, Sendable, Equatable {
    /// For the operator; contains no text from the receiver.
    package let reason: String
    /// The pause that the receiver requested, in seconds.
    package let retryAfter: TimeInterval?
    /// Whether the receiver wants no more events.
    package let isGone: Bool

    package init(_ reason: String, retryAfter: TimeInterval? = nil, isGone: Bool = false) {
        self.reason = reason
        self.retryAfter = retryAfter
        self.isGone = isGone
    }
}
