import Foundation
import Monitoring
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// A job that fails or hangs is visible, on every instance and after restarts.
@Suite struct JobMonitorTests {
    private let hour: TimeInterval = 3600

    private func monitor(_ clock: TestClock) -> JobMonitor {
        let monitor = JobMonitor(metrics: .none, now: { clock.now })
        monitor.add("usage", every: hour)
        return monitor
    }

    @Test func `a job is overdue after three of its intervals without a success`() {
        let clock = TestClock()
        let (monitor, start) = (monitor(clock), clock.now)
        clock.advance(by: 3 * hour)
        #expect(monitor.overdue().isEmpty)
        clock.advance(by: 1)
        let overdue = [
            JobMonitor.OverdueJob(name: "usage", since: start, hasEverSucceeded: false, runningSince: nil)
        ]
        #expect(monitor.overdue() == overdue)
        #expect(monitor.changes() == overdue.map { .overdue($0) })
    }

    @Test func `a job that hangs is reported with the start of its run`() throws {
        let clock = TestClock()
        let monitor = monitor(clock)
        let success = clock.now
        #expect(monitor.recordEnd("usage", .succeeded(at: success)) == success)
        clock.advance(by: hour)
        monitor.recordStart("usage")
        let began = clock.now
        clock.advance(by: 2 * hour + 1)
        #expect(
            monitor.overdue() == [
                .init(name: "usage", since: success, hasEverSucceeded: true, runningSince: began)
            ])
        #expect(monitor.recordEnd("usage", .succeeded(at: clock.now)) == clock.now)
        #expect(monitor.overdue().isEmpty)
    }

    @Test func `a job that fails each time is overdue`() {
        let clock = TestClock()
        let monitor = monitor(clock)
        for _ in 0..<40 {
            clock.advance(by: 300)
            monitor.recordStart("usage")
            #expect(monitor.recordEnd("usage", nil) == nil)
        }
        #expect(monitor.overdue().map(\.runningSince) == [nil])
    }

    @Test func `an overdue job is logged once an hour, and once when it is on time again`() {
        let clock = TestClock()
        let monitor = monitor(clock)
        clock.advance(by: 3 * hour + 1)
        #expect(monitor.changes().count == 1)
        clock.advance(by: hour - 1)
        #expect(monitor.changes().isEmpty)
        clock.advance(by: 1)
        #expect(monitor.changes().count == 1)
        _ = monitor.recordEnd("usage", .succeeded(at: clock.now))
        #expect(monitor.changes() == [.recovered(name: "usage", lastSuccessAt: clock.now)])
        #expect(monitor.changes().isEmpty)
    }

    @Test func `a job with an interval of seconds is overdue only after five minutes`() {
        let clock = TestClock()
        let monitor = JobMonitor(metrics: .none, now: { clock.now })
        monitor.add("events", every: 10)
        clock.advance(by: 300)
        #expect(monitor.overdue().isEmpty)
        clock.advance(by: 1)
        #expect(monitor.overdue().map(\.name) == ["events"])
    }

    @Test func `a success from a clock that is ahead is ignored`() {
        let clock = TestClock()
        let monitor = monitor(clock)
        #expect(monitor.recordEnd("usage", .succeeded(at: clock.now.addingTimeInterval(400))) == nil)
        clock.advance(by: 3 * hour + 1)
        #expect(monitor.overdue().map(\.hasEverSucceeded) == [false])
    }

    @Test func `the last success is known after a restart and at other instances without further requests`()
        async throws
    {
        let clock = TestClock()
        let first = try await TestService.make(clock: clock)
        guard case .succeeded(let success, _) = try await first.services.maintenance.run(.usage, every: .seconds(3600))
        else {
            Issue.record("another instance runs the job")
            return
        }
        clock.advance(by: 600)
        let second = try await TestService.make(store: first.store, clock: clock)
        _ = second.store.drainRequests()
        let monitor = monitor(clock)
        clock.advance(by: 100)
        let outcome = try await second.services.maintenance.run(.usage, every: .seconds(3600))
        #expect(second.store.drainRequests().count == 1)
        #expect(monitor.recordEnd("usage", outcome) == success)
        #expect(try await second.components.leases.record(of: .usage)?.lastSuccessAt == success)
        // After repeated restarts the delay still counts from the last success, not from the start.
        clock.advance(by: 3 * hour - 600)
        let restarted = self.monitor(clock)
        #expect(restarted.overdue().isEmpty)
        _ = restarted.recordEnd("usage", outcome)
        #expect(restarted.overdue().map(\.since) == [success])
    }

    @Test func `a job that has never succeeded counts from its first start`() async throws {
        let clock = TestClock()
        let first = try await TestService.make(clock: clock)
        let faulty = FaultyObjectStore(first.store)
        let broken = try await TestService.make(store: faulty, clock: clock)
        let start = clock.now
        for _ in 0..<3 {
            // The lease is read and written, then the accounts are listed.
            faulty.arm(.unavailable, at: 2)
            await #expect(throws: ServiceError.unavailable("at this request")) {
                try await broken.services.maintenance.run(.usage, every: .seconds(3600))
            }
            clock.advance(by: 2 * hour)
        }
        let record = try #require(try await first.components.leases.record(of: .usage))
        #expect(record.lastSuccessAt == nil && record.firstStartedAt == start)
        let monitor = monitor(clock)
        #expect(monitor.recordEnd("usage", .heldByAnotherInstance(record)) == nil)
        #expect(monitor.overdue() == [.init(name: "usage", since: start, hasEverSucceeded: false, runningSince: nil)])
    }

    @Test func `a lease of an older version is read and holds until its end`() async throws {
        let clock = TestClock()
        let service = try await TestService.make(clock: clock)
        let end = clock.now.addingTimeInterval(1800)
        let text =
            #"{"endsAt":"\#(end.ISO8601Format())","id":"9AE13D2B-2476-4748-A1AD-86E4FC7327E1","version":3}"#
        let key = ObjectKey(known: StorageLayout.lease("usage"))
        _ = try await service.store.put(key, .init(string: text), if: .always)
        let outcome = try await service.services.maintenance.run(.usage, every: .seconds(3600))
        guard case .heldByAnotherInstance(let record?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(record.reference == nil && abs(record.leaseEndsAt.timeIntervalSince(end)) < 1)
        clock.advance(by: 1801)
        let next = try await service.services.maintenance.run(.usage, every: .seconds(3600))
        guard case .succeeded(at: clock.now, totals: _?) = next else {
            Issue.record("\(next)")
            return
        }
        #expect(try await service.components.leases.record(of: .usage)?.lastSuccessAt == clock.now)
    }
}
