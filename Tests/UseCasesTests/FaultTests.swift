import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Every use case, with every fault at every store request.
@Suite struct FaultTests {
    @Test(
        "a fault at any store request of any use case loses nothing, and a retry succeeds",
        arguments: FaultScenario.accounts + FaultScenario.unlinking + FaultScenario.sessions + FaultScenario.repairs
            + FaultScenario.history
            + FaultScenario.transfers,
        FaultyObjectStore.Fault.allCases
    )
    func everyRequest(scenario: FaultScenario, fault: FaultyObjectStore.Fault) async throws {
        let calls = try await RequestSweep(case: fault.caseNumber).perform { try await run(scenario, fault, at: $0) }
        #expect(calls > 0)
    }

    /// Performs one run with its own store.
    /// - Returns: whether the act reached the chosen request.
    private func run(
        _ scenario: FaultScenario, _ fault: FaultyObjectStore.Fault, at call: Int
    ) async throws -> Bool {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let before = try await scenario.prepare(try await makeInstance(1, store, clock, scenario))
        let rules = StoreRules(
            service: try await makeInstance(1, store, clock, scenario), isAfterLoss: scenario.isAfterLoss)
        let known = try await rules.check()
        let faulty = FaultyObjectStore(store)
        let acting = try await makeInstance(2, faulty, clock, scenario)
        faulty.arm(fault, at: call)
        var outcome: FaultScenario.Outcome?
        var isDone = true
        do {
            outcome = try await scenario.act(acting, before)
            #expect(scenario.refusal == nil, "request \(call)")
        } catch let error as ServiceError {
            isDone = error == scenario.refusal
            expectHonest(error, scenario, fault, faulty.faultedRequest, call)
        }
        await faulty.applyLateChange()
        let after = try await makeInstance(3, store, clock, scenario)
        let counts = try await StoreRules(service: after, isAfterLoss: scenario.isAfterLoss).check()
        expectRecorded(scenario, isDone: isDone, counts, since: known, call)
        try await scenario.check(after, before, outcome)
        try await StoreRules(service: after).check()
        try await StoreRules(service: after).checkRepaired()
        return faulty.faultedRequest != .nothing
    }

    /// Expects that an acknowledged act is recorded once, any other act at most once, and nothing else.
    private func expectRecorded(
        _ scenario: FaultScenario, isDone: Bool, _ counts: [AuditAction: Int], since known: [AuditAction: Int],
        _ call: Int
    ) {
        var added = counts
        for (act, count) in known { added[act, default: 0] -= count }
        if let cleared = scenario.clears, added[cleared] == -1 { added[cleared] = 0 }
        let noted = scenario.notes.map { added.removeValue(forKey: $0) ?? 0 }
        #expect(
            noted.allSatisfy { $0 == 1 } || (!isDone && noted.allSatisfy { $0 == 0 }), "\(noted) at request \(call)")
        #expect(added.values.allSatisfy { $0 == 0 }, "\(added) at request \(call)")
    }

    /// Expects that temporary errors are reported as such and that a retryable write never fails the act.
    private func expectHonest(
        _ error: ServiceError, _ scenario: FaultScenario, _ fault: FaultyObjectStore.Fault,
        _ met: FaultyObjectStore.FaultedRequest, _ call: Int
    ) {
        guard error != scenario.refusal else { return }
        guard case .unavailable = error else {
            Issue.record("\(error) at request \(call)")
            return
        }
        let mayFail = met == .read || fault == .stopBefore || fault == .stopAfter
        #expect(mayFail, "a write was not tried again at request \(call)")
    }

    private func makeInstance(
        _ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock, _ scenario: FaultScenario
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.requiresChallenge = true
        options.allowsContinue = true
        options.attempts = 6
        options.hasPlainTokens = true
        options.unlinkDelay = scenario.unlinkDelay
        return try await .make(options, store: store, clock: clock)
    }
}
