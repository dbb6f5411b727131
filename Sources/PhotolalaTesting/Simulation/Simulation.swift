import ObjectStorage
import Secrets
import Synchronization

/// Several actors on one store, whose requests happen one at a time in an order that a seed decides, some of them with
/// faults. The same seed gives the same run.
package final class Simulation: Sendable {
    /// How a run went.
    package struct Outcome: Sendable {
        /// Every request in its order, with its actor and its fault.
        package let trace: [String]
        /// Actors that waited for something that never came.
        package let stuck: Int
    }

    /// A request that waits for its turn.
    struct Waiting: Sendable {
        let actor: Int
        let request: String
        let isChange: Bool
        let go: CheckedContinuation<Fault?, Never>
    }

    /// What happens to a request.
    enum Fault: String, Sendable {
        case conflict, unavailable, lostBefore, lostAfter, lostAndLate, crash
    }

    private struct State {
        var waiting: [Waiting] = []
        var crashed: Set<Int> = []
        var late: [@Sendable () async -> Void] = []
        var trace: [String] = []
        /// Actors that have not ended; `nil` before they begin.
        var running: Int?
    }

    private let state = Mutex(State())
    private let executor = StepExecutor()
    private let chance: Randomness
    private let faultsInHundred: Int

    /// - Parameter faultsInHundred: how many of a hundred requests go wrong, on average.
    package init(seed: UInt64, faultsInHundred: Int) {
        chance = .seeded(seed)
        self.faultsInHundred = faultsInHundred
    }

    /// The store as one actor sees it.
    package func view(of store: any ObjectStore, actor: Int) -> any ObjectStore {
        SimulatedObjectStore(store, simulation: self, actor: actor)
    }

    /// Runs all actors to their ends. Blocks its thread; the actors use no other.
    package func run(_ actors: [@Sendable () async -> Void]) -> Outcome {
        state.withLock { $0.running = actors.count }
        for actor in actors {
            Task(executorPreference: executor) {
                await actor()
                self.state.withLock { $0.running? -= 1 }
            }
        }
        executor.runUntilIdle()
        while let (waiting, fault) = next() {
            waiting.go.resume(returning: fault)
            executor.runUntilIdle()
        }
        settleLate()
        return state.withLock { Outcome(trace: $0.trace, stuck: $0.running ?? 0) }
    }

    /// Waits until the scheduler lets the request happen; before the actors begin requests just happen.
    func turn(_ actor: Int, _ request: String, isChange: Bool) async -> Fault? {
        guard state.withLock({ $0.running }) != nil else { return nil }
        return await withCheckedContinuation { go in
            state.withLock {
                $0.waiting.append(Waiting(actor: actor, request: request, isChange: isChange, go: go))
            }
        }
    }

    /// Keeps a change that arrives later.
    func delay(_ change: @escaping @Sendable () async -> Void) { state.withLock { $0.late.append(change) } }

    private func next() -> (Waiting, Fault?)? {
        if number(below: 8) == 0 { settleLate() }
        return state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let waiting = state.waiting.remove(at: number(below: state.waiting.count))
            let fault = fault(for: waiting, &state)
            state.trace.append("\(waiting.actor) \(waiting.request)\(fault.map { " !\($0.rawValue)" } ?? "")")
            return (waiting, fault)
        }
    }

    private func fault(for waiting: Waiting, _ state: inout State) -> Fault? {
        if state.crashed.contains(waiting.actor) { return .crash }
        guard number(below: 100) < faultsInHundred else { return nil }
        let faults: [Fault] =
            waiting.isChange
            ? [.conflict, .unavailable, .lostBefore, .lostAfter, .lostAndLate, .crash] : [.unavailable, .crash]
        let fault = faults[number(below: faults.count)]
        if fault == .crash { state.crashed.insert(waiting.actor) }
        return fault
    }

    private func settleLate() {
        let late = state.withLock { state in
            defer { state.late = [] }
            return state.late
        }
        for change in late { Task(executorPreference: executor) { await change() } }
        executor.runUntilIdle()
    }

    private func number(below count: Int) -> Int {
        chance.bytes(4).reduce(0) { $0 << 8 | Int($1) } % count
    }
}
