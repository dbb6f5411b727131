import Foundation
import ObjectStorage
import Secrets
import Synchronization

/// Several actors on one store, whose requests happen one at a time in an order that a seed decides, some of them with
/// faults. The same seed gives the same run.
package final class Simulation: Sendable {
    /// How a run went.
    package struct Outcome: Sendable {
        /// Every request in its order, with its actor and its fault.
        package let trace: SimulationTrace
        /// Actors that waited for something that never came.
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
        /// Actors that have not ended; `nil` before they begin.
        var running: Int?
    }

    /// Past the grace of a refresh; past a recent proof; just short of a request's patience; past repair's grace.
    private static let leaps: [TimeInterval] = [31, 660, 1690, 3700]
    /// No request is under way for longer, in seconds: the protocol counts on less than 30 minutes.
    private static let patience: TimeInterval = 1700

    private let state = Mutex(State())
    private let executor = StepExecutor()
    private let chance: Randomness
    private let faultsInHundred: Int
    private let clock: TestClock?

    /// - Parameters:
    ///   - faultsInHundred: how many of a hundred requests go wrong, on average.
    ///   - clock: goes on by leaps of half a minute up to an hour while the actors act; `nil` lets no time pass.
    package init(seed: UInt64, faultsInHundred: Int, leaping clock: TestClock? = nil) {
        chance = .seeded(seed)
        self.faultsInHundred = faultsInHundred
        self.clock = clock
    }

    /// The store as one actor sees it.
    package func view(of store: any ObjectStore, actor: Int) -> any ObjectStore & DatedDeletion {
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
        while let turns = next() {
            for (waiting, fault) in turns { waiting.go.resume(returning: fault) }
            executor.runUntilIdle()
        }
        settleLate()
        return state.withLock { Outcome(trace: $0.trace, stuck: $0.running ?? 0) }
    }

    /// Waits until the scheduler lets the request happen; before the actors begin requests just happen.
    func turn(_ actor: Int, _ request: SimulatedRequest) async -> SimulatedFault? {
        guard state.withLock({ $0.running }) != nil else { return nil }
        return await withCheckedContinuation { go in
            state.withLock {
                $0.waiting.append(Waiting(actor: actor, request: request, since: clock?.now, go: go))
            }
        }
    }

    /// Keeps a change that arrives later.
    func delay(_ change: @escaping @Sendable () async -> Void) { state.withLock { $0.late.append(change) } }

    private func next() -> [(Waiting, SimulatedFault?)]? {
        if number(below: 8) == 0 { settleLate() }
        if let clock, number(below: 25) == 0 { return leap(clock) }
        return state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let waiting = state.waiting.remove(at: number(below: state.waiting.count))
            return [take(waiting, fault(for: waiting, &state), &state)]
        }
    }

    /// Lets time pass. Requests that would be under way for too long are given up, late ones arrive before.
    private func leap(_ clock: TestClock) -> [(Waiting, SimulatedFault?)] {
        let seconds = Self.leaps[number(below: Self.leaps.count)]
        settleLate()
        clock.advance(by: seconds)
        let oldest = clock.now.addingTimeInterval(-Self.patience)
        return state.withLock { state in
            state.trace.steps.append(.leap(seconds))
            let givenUp = state.waiting.filter { $0.since.map { $0 < oldest } ?? false }
            state.waiting.removeAll { $0.since.map { $0 < oldest } ?? false }
            return givenUp.map { take($0, $0.request.isChange ? .lostBefore : .unavailable, &state) }
        }
    }

    private func take(_ waiting: Waiting, _ fault: SimulatedFault?, _ state: inout State) -> (Waiting, SimulatedFault?)
    {
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
