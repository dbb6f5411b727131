import ObjectStorage
import PhotolalaTesting
import Testing
import UseCases

/// Readiness checks need no authentication and cost at most one store read per second.
@Suite struct ReadinessTests {
    @Test("a hundred concurrent readiness checks cost one read, and the next read follows a second later")
    func bounded() async throws {
        let service = try await TestService.make()
        _ = service.store.drainRequests()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await service.components.readiness.check() } }
            try await group.waitForAll()
        }
        #expect(service.store.drainRequests().count == 1)
        service.clock.advance(by: 1)
        try await service.components.readiness.check()
        #expect(service.store.drainRequests().count == 1)
    }

    @Test("an unavailable store is not ready, and is ready again once it answers")
    func failure() async throws {
        let clock = TestClock()
        let store = FaultyObjectStore(try await TestService.make(clock: clock).store)
        let service = try await TestService.make(store: store, clock: clock)
        store.arm(.unavailable, at: 0)
        await #expect(throws: ServiceError.unavailable("at this request")) {
            try await service.components.readiness.check()
        }
        await #expect(throws: ServiceError.unavailable("at this request")) {
            try await service.components.readiness.check()
        }
        clock.advance(by: 1)
        try await service.components.readiness.check()
    }

    private struct Reporter: StoreStatusReporting {
        let reported: StoreStatus
        func status() -> StoreStatus { reported }
    }

    @Test("a store that cannot write accounts is not ready, and one that refuses uploads or is damaged is reported")
    func condition() async throws {
        let service = try await TestService.make()
        func check(_ condition: StoreStatus) async throws(ServiceError) -> ReadyReport {
            try await Readiness(
                store: service.store, reporter: Reporter(reported: condition), now: { service.clock.now }
            ).check()
        }
        for (fault, told) in [
            (StoreStatus.Fault.diskFull, StoreFault.diskFull), (.diskReadOnly, .diskReadOnly),
            (.writesFail, .writesFail), (.accountsDamaged, .accountsDamaged),
        ] {
            await #expect(throws: ServiceError.storeFault(told)) {
                _ = try await check(StoreStatus(fault: fault, refusesUploads: true))
            }
        }
        let full = try await check(StoreStatus(refusesUploads: true, isDamaged: true))
        #expect(full == ReadyReport(refusesUploads: true, isDamaged: true))
    }

    @Test("a store that cannot be read because its accounts are damaged reports this reason")
    func damaged() async throws {
        let clock = TestClock()
        let store = FaultyObjectStore(try await TestService.make(clock: clock).store)
        let readiness = Readiness(
            store: store, reporter: Reporter(reported: StoreStatus(fault: .accountsDamaged)), now: { clock.now })
        store.arm(.unavailable, at: 0)
        await #expect(throws: ServiceError.storeFault(.accountsDamaged)) { try await readiness.check() }
    }
}
