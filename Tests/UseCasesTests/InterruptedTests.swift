import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Two acts in every interleaving in which one pauses between two of its requests while the other completes.
@Suite struct InterruptedTests {
    @Test(
        "an act in the middle of another act breaks no invariant, and both report their true result",
        arguments: Interruption.all)
    func everyMoment(_ pair: Interruption) async throws {
        var call = 0
        while try await run(pair, at: call) { call += 1 }
        #expect(call > 0)
    }

    private func run(_ pair: Interruption, at call: Int) async throws -> Bool {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let before = try await pair.prepare(try await makeInstance(1, store, clock))
        let interrupted = InterruptedObjectStore(store)
        let first = try await makeInstance(2, interrupted, clock)
        let second = try await makeInstance(3, store, clock)
        let told = Mutex<ServiceError?>(nil)
        interrupted.interrupt(before: call) { [pair] in
            let error = await ServiceError.caught { try await pair.second(second, before) }
            told.withLock { $0 = error }
        }
        let firstError = await ServiceError.caught { try await pair.first(first, before) }
        guard !interrupted.isWaiting else { return false }
        let secondError = told.withLock { $0 }
        let after = try await makeInstance(4, store, clock)
        try await StoreRules(service: after, isAfterLoss: pair.isAfterLoss).check()
        let outcome = Interruption.Outcome(first: firstError, second: secondError)
        for error in [firstError, secondError] {
            if case .internal = error { Issue.record("\(pair) before request \(call): \(outcome)") }
        }
        try await pair.check(after, before, outcome)
        try await StoreRules(service: after, isAfterLoss: pair.isAfterLoss).check()
        try await StoreRules(service: after, isAfterLoss: pair.isAfterLoss).checkRepaired()
        return true
    }

    private func makeInstance(
        _ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.requiresChallenge = true
        options.attempts = 6
        options.hasPlainTokens = true
        return try await .make(options, store: store, clock: clock)
    }
}
