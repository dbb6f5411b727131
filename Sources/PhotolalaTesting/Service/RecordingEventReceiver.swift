import Accounts
import PhotolalaAPI
import Synchronization

/// The operator's event receiver for tests, which accepts or refuses events.
package final class RecordingEventReceiver: EventReceiver {
    /// Returns the reason to refuse an event, or `nil` to accept it.
    package typealias Response = @Sendable (AccountEvent) async -> EventRejection?

    private struct State {
        var events: [AccountEvent] = []
        var answer: Response?
    }

    private let state = Mutex(State())

    package init() {}

    /// The accepted events, in order of arrival.
    package var events: [AccountEvent] { state.withLock { $0.events } }

    /// Returns the accepted events of one account without duplicates, in order of first arrival.
    package func firstEvents(of user: UserID) -> [AccountEvent] {
        var seen: Set<String> = []
        return events.filter { $0.user == user && seen.insert($0.id).inserted }
    }

    /// Sets the closure that decides about each following event; `nil` accepts all.
    package func setResponse(_ answer: Response?) { state.withLock { $0.answer = answer } }

    package func receive(_ event: AccountEvent) async throws(EventRejection) {
        if let refusal = await state.withLock({ $0.answer })?(event) { throw refusal }
        state.withLock { $0.events.append(event) }
    }
}
