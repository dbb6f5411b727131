import Synchronization

/// The deadlines of many requests with one timer: a deadline that is met in time costs no task and no timer of its own.
final class Deadlines: Sendable {
    /// The error of an operation that ended at its deadline.
    struct Exceeded: Error {}

    private struct Entry {
        var deadline: Duration
        /// Returns a later deadline, or `nil` if this one ended the operation.
        let expire: @Sendable () -> Duration?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var lastID = 0
        /// When the timer wakes; `nil` without a timer.
        var wakeTime: Duration?
        var timer: Task<Void, Never>?
    }

    let clock: TransportClock
    private let state = Mutex(State())

    init(_ clock: TransportClock) { self.clock = clock }

    deinit { state.withLock { $0.timer?.cancel() } }

    /// Adds a deadline.
    /// - Parameter expire: Called if the deadline passes before it is removed; twice if a timer is just being replaced.
    /// - Returns: The id for `move` and `remove`.
    func add(_ deadline: Duration, expire: @escaping @Sendable () -> Void) -> Int {
        watch(deadline) {
            expire()
            return nil
        }
    }

    /// Adds a deadline of an operation whose progress postpones it.
    /// - Parameter check: Called when the deadline passes; twice if a timer is just being replaced. Returns a later
    ///   deadline, or `nil` if this one ended the operation.
    /// - Returns: The id for `remove`.
    func watch(_ deadline: Duration, check: @escaping @Sendable () -> Duration?) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = Entry(deadline: deadline, expire: check)
            setTimer(&state, for: deadline)
            return state.lastID
        }
    }

    /// Replaces a deadline that has not passed.
    func move(_ id: Int, to deadline: Duration) {
        state.withLock { state in
            guard state.entries[id] != nil else { return }
            state.entries[id]?.deadline = deadline
            setTimer(&state, for: deadline)
        }
    }

    func remove(_ id: Int) { state.withLock { state in state.entries[id] = nil } }

    /// Wakes at the earliest deadline. Deadlines that were met are found then, so a timer is rarely replaced.
    private func setTimer(_ state: inout State, for deadline: Duration) {
        guard state.wakeTime.map({ deadline < $0 }) ?? true else { return }
        state.timer?.cancel()
        state.wakeTime = deadline
        state.timer = Task { [weak self, clock] in
            var wakeTime = deadline
            while true {
                guard (try? await clock.sleep(wakeTime - clock.now())) != nil, let next = self?.expire() else { return }
                wakeTime = next
            }
        }
    }

    /// Expires the deadlines that have passed.
    /// - Returns: When to wake again; `nil` without deadlines, and for a timer that was replaced.
    private func expire() -> Duration? {
        let now = clock.now()
        let passed = state.withLock { state in
            Task.isCancelled ? [:] : state.entries.filter { $0.value.deadline <= now }
        }
        for (id, entry) in passed.sorted(by: { $0.value.deadline < $1.value.deadline }) {
            let next = entry.expire()
            state.withLock { state in
                // It may have been removed or moved by the operation.
                guard state.entries[id]?.deadline == entry.deadline else { return }
                if let next { state.entries[id]?.deadline = next } else { state.entries[id] = nil }
            }
        }
        return state.withLock { state -> Duration? in
            guard !Task.isCancelled else { return nil }
            state.wakeTime = state.entries.values.lazy.map(\.deadline).min()
            return state.wakeTime
        }
    }
}
