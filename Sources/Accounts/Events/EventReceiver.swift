import Foundation

/// Takes events to the operator's own service.
package protocol EventReceiver: Sendable {
    /// Sends one event, once, and returns when the other side has it. Takes at most 20 seconds.
    /// - Throws: `EventRefusal`; the other side may have the event all the same.
    func receive(_ event: AccountEvent) async throws(EventRefusal)
}

/// An event that the other side did not take.
package struct EventRefusal: Error, Sendable, Equatable {
    /// For the operator; nothing of what the other side wrote.
    package let reason: String
    /// How long it asked to be left alone, in seconds.
    package let retryAfter: TimeInterval?
    /// It wants no events any more.
    package let isGone: Bool

    package init(_ reason: String, retryAfter: TimeInterval? = nil, isGone: Bool = false) {
        self.reason = reason
        self.retryAfter = retryAfter
        self.isGone = isGone
    }
}
