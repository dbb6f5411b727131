import Foundation
import ObjectStorage
import Secrets
import Synchronization

/// Runs several actors on one store. Their requests run one at a time in an order determined by a seed, some with
/// faults. The same seed produces the same run.
package final class Simulation: Sendable {
    /// The result of a run.
    package struct Outcome: Sendable {
        /// Every request in order, with its actor and fault.
        package let trace: SimulationTrace
        /// The number of actors that waited forever.
        package let stuck: Int
    }

    /// A request that waits for its turn.
    private struct Waiting: Sendable {
        let actor: Int
        let request: SimulatedRequest
        let since: Date?
        let go: CheckedContinuation<SimulatedFault?, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var crashed: Set<Int> = []
        var late: [@Sendable () async -> Void] = []
        var trace = SimulationTrace()
        /// The number of actors that have not ended; `nil` before the start.
        var running: Int?
    }

    /// Beyond the grace period of a refresh; beyond recent authentication; just below the request limit; beyond the
    /// repair grace period.
    private static let clockLeaps: [TimeInterval] = [31, 660, 1690, 3700]
    /// The longest duration of a request, in seconds: the protocol relies on less than 30 minutes.
    private static let maximumWait: TimeInterval = 1700

    private let state = Mutex(State())
    private let executor = StepExecutor()
    private let chance: Randomness
    private let faultsInHundred: Int
    private let clock: TestClock?

    /// - Parameters:
    ///   - faultsInHundred: The average number of faults in 100 requests.
    ///   - clock: Advances in leaps from half a minute to an hour during the run; with `nil` no time passes.
    package init(seed: UInt64, faultsInHundred: Int, leaping clock: TestClock? = nil) {
        chance = .seeded(seed)
        self.faultsInHundred = faultsInHundred
        self.clock = clock
    }

    /// Returns the store for one actor.
    package func view(of store: any ObjectStore, actor: Int) -> any ObjectStore & DatedDeletion {
        SimulatedObjectStore(store, simulation: self, actor: actor)
    }

    /// Runs all actors to their ends. Blocks its thread, which is the only one that the actors use.
    package func run(_ actors: [@Sendable () async -> Void]) -> Outcome {
        state.withLock { $0.running = actors.count }
        for actor in actors {
            Task(executorPreference: executor) {
                await actor()
                self.state.withLock { $0.running? -= 1 }
            }
        }
        executor.runUntilIdle()
        while let turns = next() {
            for (waiting, fault) in turns { waiting.go.resume(returning: fault) }
            executor.runUntilIdle()
        }
        applyLateChanges()
        return state.withLock { Outcome(trace: $0.trace, stuck: $0.running ?? 0) }
    }

    /// Waits until the scheduler selects the request. Before the start, requests run immediately.
    func awaitTurn(_ actor: Int, _ request: SimulatedRequest) async -> SimulatedFault? {
        guard state.withLock({ $0.running }) != nil else { return nil }
        return await withCheckedContinuation { go in
            state.withLock {
                $0.waiting.append(Waiting(actor: actor, request: request, since: clock?.now, go: go))
            }
        }
    }

    /// Stores a change that is applied later.
    func delay(_ change: @escaping @Sendable () async -> Void) { state.withLock { $0.late.append(change) } }

    private func next() -> [(Waiting, SimulatedFault?)]? {
        if number(below: 8) == 0 { applyLateChanges() }
        if let clock, number(below: 25) == 0 { return leap(clock) }
        return state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let waiting = state.waiting.remove(at: number(below: state.waiting.count))
            return [recordStep(waiting, fault(for: waiting, &state), &state)]
        }
    }

    /// Advances the clock. Applies delayed changes first, and fails requests that would exceed the limit.
    private func leap(_ clock: TestClock) -> [(Waiting, SimulatedFault?)] {
        let seconds = Self.clockLeaps[number(below: Self.clockLeaps.count)]
        applyLateChanges()
        clock.advance(by: seconds)
        let oldest = clock.now.addingTimeInterval(-Self.maximumWait)
        return state.withLock { state in
            state.trace.steps.append(.leap(seconds))
            let givenUp = state.waiting.filter { $0.since.map { $0 < oldest } ?? false }
            state.waiting.removeAll { $0.since.map { $0 < oldest } ?? false }
            return givenUp.map { recordStep($0, $0.request.isChange ? .lostBefore : .unavailable, &state) }
        }
    }

    private func recordStep(_ waiting: Waiting, _ fault: SimulatedFault?, _ state: inout State) -> (
        Waiting, SimulatedFault?
    ) {
        let fault = state.crashed.contains(waiting.actor) ? .crash : fault
        state.trace.steps.append(.request(actor: waiting.actor, waiting.request, fault))
        return (waiting, fault)
    }

    private func fault(for waiting: Waiting, _ state: inout State) -> SimulatedFault? {
        guard !state.crashed.contains(waiting.actor), number(below: 100) < faultsInHundred else { return nil }
        let faults: [SimulatedFault] =
            waiting.request.isChange
            ? [.conflict, .unavailable, .lostBefore, .lostAfter, .lostAndLate, .refusedAfter, .crash]
            : [.unavailable, .crash]
        let fault = faults[number(below: faults.count)]
        if fault == .crash { state.crashed.insert(waiting.actor) }
        return fault
    }

    private func applyLateChanges() {
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
