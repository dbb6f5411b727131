import Accounts
import PhotolalaAPI
import Synchronization

/// The operator's own service as a test wants it: takes events, or refuses them.
package final class RecordingEventReceiver: EventReceiver {
    /// Why an event is not taken; `nil` when it is.
    package typealias Answer = @Sendable (AccountEvent) async -> EventRefusal?

    private struct State {
        var events: [AccountEvent] = []
        var answer: Answer?
    }

    private let state = Mutex(State())

    package init() {}

    /// The events that were taken so far, in the order in which they came.
    package var events: [AccountEvent] { state.withLock { $0.events } }

    /// The events of one account that were taken, each where it came first.
    package func firstEvents(of user: UserID) -> [AccountEvent] {
        var seen: Set<String> = []
        return events.filter { $0.user == user && seen.insert($0.id).inserted }
    }

    /// Asks the test about each event from now on; `nil` takes all.
    package func answer(_ answer: Answer?) { state.withLock { $0.answer = answer } }

    package func receive(_ event: AccountEvent) async throws(EventRefusal) {
        if let refusal = await state.withLock({ $0.answer })?(event) { throw refusal }
        state.withLock { $0.events.append(event) }
    }
}
