import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaTesting
import ServiceWiring
import Testing
import UseCases

/// The exchange of call counts between environments.
@Suite struct CallCountTests {
    /// An environment with a limit of 60 calls of a client in a minute.
    private struct Environment {
        let service: TestService
        let upkeep: Upkeep

        init(_ seed: UInt64, besides other: Environment? = nil) async throws {
            var options = TestService.Options()
            options.callRates = CallRates(address: 60, identity: 0, total: 0)
            options.seed = seed
            let service =
                if let other {
                    try await TestService.make(options, store: other.service.store, clock: other.service.clock)
                } else {
                    try await TestService.make(options)
                }
            let services = service.services
            let job = Maintenance.Job(
                name: "call counts", interval: .seconds(10), hasReport: { services.limits.hasSharedCounts }
            ) { try await services.housekeeping.shareRateLimits() }
            self.service = service
            upkeep = Upkeep(
                Maintenance(
                    jobs: [job], monitor: services.jobMonitor,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
                clock: .init(now: { service.clock.now }, sleep: { _ in await Gate().wait() }))
        }

        /// Returns how many of `count` calls of a client are allowed.
        func calls(_ count: Int) -> Int {
            (0..<count).count { _ in (try? service.services.limits.consume(ClientRateLimitKey(ipv4: 1))) != nil }
        }

        func written() async throws -> [ETag] {
            try await service.store.list(prefix: StorageLayout.callCounts, after: nil, limit: 10).objects.map(\.etag)
        }
    }

    @Test func `a new environment reads the counts of the others before its first invocation`() async throws {
        let one = try await Environment(1)
        #expect(one.calls(40) == 40)
        await one.upkeep.run()
        let two = try await Environment(2, besides: one)
        await two.upkeep.run()
        #expect(two.calls(40) == 20)
    }

    @Test func `calls near a limit are reported after the invocation, which may be the last one`() async throws {
        let one = try await Environment(1)
        await one.upkeep.run()
        #expect(one.calls(1) == 1)
        await one.upkeep.report(timeLeft: 30)
        #expect(try await one.written().isEmpty)
        #expect(one.calls(39) == 39)
        // So near its deadline an invocation writes nothing.
        await one.upkeep.report(timeLeft: 2)
        #expect(try await one.written().isEmpty)
        await one.upkeep.report(timeLeft: 30)
        let first = try await one.written()
        #expect(first.count == 1)
        let two = try await Environment(2, besides: one)
        await two.upkeep.run()
        #expect(two.calls(40) == 20)
    }

    @Test func `calls are reported at most every ten seconds`() async throws {
        let one = try await Environment(1)
        #expect(one.calls(10) == 10)
        await one.upkeep.report(timeLeft: 30)
        let first = try await one.written()
        #expect(one.calls(10) == 10)
        await one.upkeep.report(timeLeft: 30)
        await one.upkeep.run()
        #expect(try await one.written() == first)
        one.service.clock.advance(by: 10)
        await one.upkeep.report(timeLeft: 30)
        #expect(try await one.written() != first)
    }
}
