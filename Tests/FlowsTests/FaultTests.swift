import Flows
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Every flow, with every fault at every request it makes of the store.
@Suite struct FaultTests {
    @Test(
        "A fault at any request of any flow loses nothing, and asking again comes to the right end",
        arguments: FaultScenario.accounts + FaultScenario.sessions + FaultScenario.repairs,
        FaultyObjectStore.Fault.allCases
    )
    func everyRequest(scenario: FaultScenario, fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while try await run(scenario, fault, at: call) { call += 1 }
        #expect(call > 0)
    }

    /// One run in a world of its own.
    /// - Returns: whether the act got as far as the chosen request.
    private func run(
        _ scenario: FaultScenario, _ fault: FaultyObjectStore.Fault, at call: Int
    ) async throws -> Bool {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let before = try await scenario.prepare(try await copy(1, store, clock))
        let faulty = FaultyObjectStore(store)
        let acting = try await copy(2, faulty, clock)
        faulty.arm(fault, at: call)
        var outcome: FaultScenario.Outcome?
        do {
            outcome = try await scenario.act(acting, before)
            #expect(scenario.refusal == nil, "request \(call)")
        } catch let error as FlowError {
            expectHonest(error, scenario, fault, faulty.met, call)
        }
        await faulty.settle()
        let after = try await copy(3, store, clock)
        try await StoreRules(service: after, isAfterLoss: scenario.isAfterLoss).check()
        try await scenario.check(after, before, outcome)
        try await StoreRules(service: after).check()
        try await StoreRules(service: after).checkRepaired()
        return faulty.met != .nothing
    }

    /// Temporary trouble is told as such, and a write that can be tried again is never a reason to fail.
    private func expectHonest(
        _ error: FlowError, _ scenario: FaultScenario, _ fault: FaultyObjectStore.Fault,
        _ met: FaultyObjectStore.Met, _ call: Int
    ) {
        guard error != scenario.refusal else { return }
        guard case .unavailable = error else {
            Issue.record("\(error) at request \(call)")
            return
        }
        let mayFail = met == .read || fault == .stopBefore || fault == .stopAfter
        #expect(mayFail, "a write was not tried again at request \(call)")
    }

    private func copy(
        _ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.requiresChallenge = true
        options.allowsContinue = true
        options.attempts = 6
        return try await .make(options, store: store, clock: clock)
    }
}
