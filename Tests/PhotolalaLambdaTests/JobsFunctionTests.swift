import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotolalaLambda
import PhotolalaTesting
import ServiceWiring
import Synchronization
import Testing
import UseCases

/// Background jobs for the events of a schedule.
@Suite(.timeLimit(.minutes(2))) struct JobsFunctionTests {
    private let clock = TestClock()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameter sleep: The timer of the deadline; without it, none ever fires.
    private func function(
        _ jobs: [Maintenance.Job], _ service: TestService,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in await Gate().wait() }
    ) -> FunctionClient {
        FunctionClient(
            JobsFunction(
                Maintenance(jobs: jobs, monitor: service.services.jobMonitor, logger: logger),
                clock: .init(now: { [clock] in clock.now }, sleep: sleep)))
    }

    private func report(_ client: FunctionClient, _ event: String = "{}") async throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(try await client.answer(event).utf8))
    }

    private func counting(_ name: String, _ interval: Duration, _ count: CallCount) -> Maintenance.Job {
        .init(name: name, interval: interval) { count.add() }
    }

    private final class CallCount: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    @Test func `due jobs run once per event, and the report names each job's result`() async throws {
        struct Broken: Error {}
        let service = try await TestService.make(clock: clock)
        let (minutely, hourly) = (CallCount(), CallCount())
        let client = function(
            [
                counting("markers", .seconds(60), minutely), counting("codes", .seconds(3600), hourly),
                .init(name: "broken", interval: .seconds(3600)) { throw Broken() },
            ], service)
        #expect(try await report(client) == ["markers": "succeeded", "codes": "succeeded", "broken": "failed"])
        // A schedule is not exact. A failed job is due again at once.
        clock.advance(by: 58)
        #expect(try await report(client) == ["markers": "succeeded", "codes": "not_due", "broken": "failed"])
        #expect(minutely.value == 2 && hourly.value == 1)
        clock.advance(by: 3600)
        #expect(try await report(client)["codes"] == "succeeded")
    }

    @Test func `one instance of all runs a shared job, under its lease`() async throws {
        let service = try await TestService.make(clock: clock)
        let other = try await TestService.make(store: service.store, clock: clock)
        func jobs(_ service: TestService) -> [Maintenance.Job] {
            [.init(.usage, every: .seconds(86_400), of: service.services)]
        }
        let (first, second) = (function(jobs(service), service), function(jobs(other), other))
        #expect(try await report(first) == ["usage": "succeeded"])
        #expect(try await report(second) == ["usage": "not_due"])
        clock.advance(by: 86_400)
        #expect(try await report(second) == ["usage": "succeeded"])
        clock.advance(by: 60)
        #expect(try await report(first) == ["usage": "not_due"])
    }

    @Test func `an event may name one job, and an unknown one is a typed error with the names`() async throws {
        let service = try await TestService.make(clock: clock)
        let (one, two) = (CallCount(), CallCount())
        let client = function([counting("one", .seconds(60), one), counting("two", .seconds(60), two)], service)
        #expect(try await report(client, #"{"job":"two"}"#) == ["two": "succeeded"])
        #expect(one.value == 0 && two.value == 1)
        let failure = await #expect(throws: InvocationFailure.self) { try await report(client, #"{"job":"three"}"#) }
        #expect(failure?.errorType == "unknown_job" && failure?.errorMessage.contains("one, two") == true)
        // What EventBridge sends without an input of its own.
        let event = #"{"version":"0","id":"1","detail-type":"Scheduled Event","source":"aws.events","detail":{}}"#
        #expect(try await report(client, event) == ["one": "succeeded", "two": "not_due"])
    }

    @Test func `at the deadline the report is returned, and an interrupted job is due at once`() async throws {
        let service = try await TestService.make(clock: clock)
        let limits = Mutex<[Duration]>([])
        let begun = Gate()
        let isQuick = Mutex(false)
        let jobs: [Maintenance.Job] = [
            counting("quick", .seconds(3600), CallCount()),
            .init(name: "endless", interval: .seconds(3600)) {
                begun.open()
                // Returns when it is cancelled.
                if !isQuick.withLock({ $0 }) { await Gate().wait() }
                try Task.checkCancellation()
            },
        ]
        let client = function(jobs, service) { duration in
            let number = limits.withLock { limits in
                limits.append(duration)
                return limits.count
            }
            // Only the second deadline passes, in the middle of the endless job.
            await (number == 2 ? begun : Gate()).wait()
        }
        #expect(try await report(client, #"{"job":"quick"}"#) == ["quick": "succeeded"])
        #expect(try await report(client) == ["endless": "interrupted", "quick": "not_due"])
        #expect(limits.withLock { $0 } == [.seconds(24), .seconds(24)])
        isQuick.withLock { $0 = true }
        #expect(try await report(client) == ["endless": "succeeded", "quick": "not_due"])
    }

    @Test func `an interrupted shared job gives up its lease, so that the next run does not wait for a day`()
        async throws
    {
        let clock = clock
        let store = InterruptedObjectStore(MemoryObjectStore { clock.now })
        let service = try await TestService.make(store: store, clock: clock)
        let maintenance = service.services.maintenance
        let begun = Gate()
        let wasCancelled = Mutex<Bool?>(nil)
        let task = Task {
            try await maintenance.run(lease: "test", every: .seconds(86_400)) {
                begun.open()
                // Returns when it is cancelled.
                await Gate().wait()
                try Task.checkCancellation()
            }
        }
        await begun.wait()
        // In a cancelled task the request to a bucket would fail.
        store.interrupt(before: 0) {
            let isCancelled = Task.isCancelled
            wasCancelled.withLock { $0 = isCancelled }
        }
        task.cancel()
        _ = await task.result
        #expect(wasCancelled.withLock { $0 } == false)
        let outcome = try await maintenance.run(lease: "test", every: .seconds(86_400)) {}
        #expect(outcome == .succeeded(at: clock.now))
    }
}
