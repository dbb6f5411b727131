import AccountMaintenance
import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Every step of a re-keying, with every fault at every store request.
@Suite struct RekeyingFaultTests {
    @Test(
        "a re-keying that stops anywhere resumes when run again and can be undone until it is confirmed",
        arguments: RekeyingStep.allCases, FaultyObjectStore.Fault.allCases)
    func everyRequest(step: RekeyingStep, fault: FaultyObjectStore.Fault) async throws {
        let moment = try await RekeyingMoment(before: step)
        let calls = try await RequestSweep(case: fault.caseNumber).perform {
            try await run(step, fault, moment, at: $0)
        }
        #expect(calls > 20)
    }

    private func run(
        _ step: RekeyingStep, _ fault: FaultyObjectStore.Fault, _ moment: RekeyingMoment, at call: Int
    ) async throws -> Bool {
        let (store, clock) = moment.copy()
        let faulty = FaultyObjectStore(store)
        let acting = try await TestService.makeInstance(2, faulty, clock)
        faulty.arm(fault, at: call)
        do {
            try await step.run(acting)
        } catch RekeyingError.account(.store) {
            // The error is reported as it is; the step is run again below.
        }
        await faulty.applyLateChange()
        switch (faulty.faultedRequest, fault) {
        case (.nothing, _): return false
        // Reads have only one kind of fault; the others are equivalent.
        case (.read, .conflict), (.read, .lostBefore), (.read, .lostAfter), (.read, .lostAndLate): return true
        default: break
        }
        // In the middle of the re-keying, all existing users and a new one can sign in.
        let service = try await TestService.makeInstance(3, store, clock)
        try await StoreRules(service: service).check()
        try await expectAllSignIn(service, moment.before)
        let new = try await service.signUp(.google, "new", device: 20)
        try await RekeyingStep.end(service, isConfirmed: call % 2 == 0)
        try await expectAllSignIn(service, moment.before)
        try await service.expect(.google, "new", finds: new.user.serviceUserID)
        try await StoreRules(service: service).checkRepaired()
        return true
    }

    private func expectAllSignIn(_ service: TestService, _ before: FaultScenario.Before) async throws {
        try await service.expect(.apple, "bob", finds: before.user)
        try await service.expect(.google, "bob", finds: before.user)
        try await service.expect(.apple, "eve", finds: before.other?.user.serviceUserID)
        try await service.expect(.google, "unknown", finds: nil)
    }
}
