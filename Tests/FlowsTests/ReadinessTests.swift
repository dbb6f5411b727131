import Flows
import PhotolalaTesting
import Testing

/// Whether the store answers is asked by anybody, and costs at most a read a second.
@Suite struct ReadinessTests {
    @Test("A hundred who ask at once cost one read, and the next one comes a second later")
    func bounded() async throws {
        let service = try await TestService.make()
        _ = service.store.takeRequests()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await service.services.readiness.check() } }
            try await group.waitForAll()
        }
        #expect(service.store.takeRequests().count == 1)
        service.clock.advance(by: 1)
        try await service.services.readiness.check()
        #expect(service.store.takeRequests().count == 1)
    }

    @Test("A store that does not answer is not ready, and is again when it does")
    func failure() async throws {
        let clock = TestClock()
        let store = FaultyObjectStore(try await TestService.make(clock: clock).store)
        let service = try await TestService.make(store: store, clock: clock)
        store.arm(.unavailable, at: 0)
        await #expect(throws: FlowError.unavailable("at this request")) { try await service.services.readiness.check() }
        await #expect(throws: FlowError.self) { try await service.services.readiness.check() }
        clock.advance(by: 1)
        try await service.services.readiness.check()
    }
}
