import Synchronization

/// The deadlines of many requests with one timer: a deadline that is met in time costs no task and no timer of its own.
final class Deadlines: Sendable {
    /// The error of an operation that ended at its deadline.
    struct Exceeded: Error {}

    private struct Entry {
        var deadline: Duration
        let expire: @Sendable () -> Void
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
    /// - Parameter expire: Called once, if the deadline passes before it is removed.
    /// - Returns: The id for `move` and `remove`.
    func add(_ deadline: Duration, expire: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = Entry(deadline: deadline, expire: expire)
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
        let (passed, next) = state.withLock { state -> ([Entry], Duration?) in
            guard !Task.isCancelled else { return ([], nil) }
            let passed = state.entries.filter { $0.value.deadline <= now }
            for id in passed.keys { state.entries[id] = nil }
            state.wakeTime = state.entries.values.lazy.map(\.deadline).min()
            return (Array(passed.values), state.wakeTime)
        }
        for entry in passed.sorted(by: { $0.deadline < $1.deadline }) { entry.expire() }
        return next
    }
}
