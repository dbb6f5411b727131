import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// The erasure of a deleted account with a fault at each of its requests.
@Suite struct ErasureFaultTests {
    @Test(
        "whatever fails at any request of the erasure, it ends with nothing left and a correct receipt",
        arguments: FaultyObjectStore.Fault.allCases)
    func everyRequest(fault: FaultyObjectStore.Fault) async throws {
        let calls = try await RequestSweep(case: fault.caseNumber).perform { try await run(fault, at: $0) }
        #expect(calls > 60, "the erasure makes more requests than that")
    }

    /// - Returns: whether the erasure reached the faulty request.
    private func run(_ fault: FaultyObjectStore.Fault, at call: Int) async throws -> Bool {
        let fixture = try await Self.prepared.value
        let clock = TestClock(fixture.clock.now)
        let memory = fixture.memory.copy { clock.now }
        let faulty = FaultyObjectStore(memory)
        var options = TestService.Options()
        options.eventReceiver = fixture.receiver
        let first = try await TestService.make(options, store: faulty, clock: clock)
        faulty.arm(fault, at: call)
        var hours = 0
        while hours < 3 {
            _ = try? await first.services.accountErasure.eraseDueAccounts()
            clock.advance(by: 3600)
            hours += 1
        }
        let isReached = faulty.faultedRequest != .nothing
        await faulty.applyLateChange()
        let second = try await TestService.make(options, store: memory, clock: clock)
        for _ in 0..<(24 * 9) {
            try await second.services.eventDelivery.deliverEvents()
            try await second.services.accountErasure.eraseDueAccounts()
            clock.advance(by: 3600)
        }
        let accounts = second.components.accounts
        let user = fixture.user
        let context = Comment(rawValue: "\(fault) at request \(call)")
        #expect(try await accounts.account(user) == nil, context)
        #expect(try await accounts.deletions.record(user) == nil, context)
        #expect(try await fixture.traces(in: memory) == [], context)
        let receipt = try await fixture.receipt(accounts)
        let erased = try #require(receipt["erased"] as? [String: [String: Int]])
        #expect(erased["photos"]?["objects"] == 2 && erased["identities"]?["objects"] == 2, context)
        return isReached
    }

    /// A due deletion, prepared once.
    private static let prepared = Task {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        try await fixture.services.eventDelivery.deliverEvents()
        fixture.clock.advance(by: 14 * 86_400)
        return fixture
    }
}
