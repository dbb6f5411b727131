import AccountMaintenance
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Acts and a re-keying of the same identities, in every interleaving in which one of them pauses.
@Suite struct RekeyingInterruptionTests {
    @Test(
        "an act during a step of a re-keying, on an instance that may not know of it yet, loses nothing",
        arguments: RekeyingRace.all, RekeyingStep.allCases)
    func rekeyingSuspended(race: RekeyingRace, step: RekeyingStep) async throws {
        // Every instance knows the state before the step, but not the step itself.
        let moment = try await RekeyingMoment(before: step)
        let number = RekeyingRace.all.firstIndex { $0.description == race.description } ?? 0
        let calls = try await RequestSweep(case: number).perform {
            try await run(race, step, moment, before: $0, isActInterrupted: false)
        }
        #expect(calls > 20)
    }

    @Test(
        "an act that pauses during a whole re-keying is applied completely or not at all",
        arguments: RekeyingRace.all, RekeyingStep.allCases)
    func operationSuspended(race: RekeyingRace, step: RekeyingStep) async throws {
        let moment = try await RekeyingMoment(before: .apply)
        var call = 0
        while try await run(race, step, moment, before: call, isActInterrupted: true) { call += 1 }
        #expect(call > 1)
    }

    private func run(
        _ race: RekeyingRace, _ step: RekeyingStep, _ moment: RekeyingMoment, before call: Int,
        isActInterrupted: Bool
    ) async throws -> Bool {
        let (store, clock) = moment.copy()
        let before = moment.before
        let interrupted = InterruptedObjectStore(store)
        let acting = try await TestService.makeInstance(2, isActInterrupted ? interrupted : store, clock)
        let migrating = try await TestService.makeInstance(3, isActInterrupted ? store : interrupted, clock)
        let told = Mutex<ServiceError?>(nil)
        let act: @Sendable () async -> Void = {
            let error = await ServiceError.caught { try await race.act(acting, before) }
            told.withLock { $0 = error }
        }
        let migrate: @Sendable () async throws -> Void = {
            if isActInterrupted { try await step.prepare(migrating) }
            do {
                try await step.run(migrating)
            } catch RekeyingError.incomplete {
                // A paused act blocks the re-keying, which is run again below.
            }
        }
        let failure = Mutex<String?>(nil)
        interrupted.interrupt(before: call) {
            guard isActInterrupted else { return await act() }
            do {
                try await migrate()
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
        }
        if isActInterrupted { await act() } else { try await migrate() }
        guard !interrupted.isWaiting else { return false }
        #expect(failure.withLock { $0 } == nil, "before request \(call)")
        let error = told.withLock { $0 }
        if case .internal = error {
            Issue.record("\(race), \(step), before request \(call): \(String(describing: error))")
        }
        let after = try await TestService.makeInstance(4, store, clock)
        try await StoreRules(service: after).check()
        try await race.check(after, before, error)
        try await RekeyingStep.end(after, isConfirmed: call % 2 == 0)
        try await race.check(after, before, error)
        try await after.expect(.apple, "bob", finds: before.user)
        try await after.expect(.apple, "eve", finds: before.other?.user.serviceUserID)
        try await StoreRules(service: after).checkRepaired()
        try await race.check(after, before, error)
        return true
    }
}
