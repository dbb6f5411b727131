import Foundation
import HTTPTypes
import Monitoring
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import ServiceWiring
import UseCases

/// Measures the cost of metrics for a sign-in, in one process and on an in-memory store: the same sign-ins with and without
/// metrics, in turn. Without HTTP and storage a sign-in costs less, so the share is larger than that of a server.
///
///     benchmark-metrics [ROUNDS]
@main
enum MetricsBenchmark {
    private static let people = (0..<50).map { "person-\($0)" }

    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 200
        let sides = [try await Side(isMeasured: false, people), try await Side(isMeasured: true, people)]
        var times: [[Double]] = [[], []]
        for round in 0..<rounds {
            for side in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                times[side].append(try await sides[side].signIns())
            }
        }
        let (plain, measured) = (median(times[0]), median(times[1]))
        let share = median(zip(times[0], times[1]).map { ($1 - $0) / $0 })
        print("sign-in, CPU µs, median of \(rounds) rounds of \(people.count):")
        print(
            "without metrics \(text(plain)), with metrics \(text(measured)), paired difference \(text(share * 100)) %")
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func text(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// A service, with or without metrics.
private struct Side {
    private let service: TestService
    private let timers: RequestTimers
    private let people: [String]

    init(isMeasured: Bool, _ people: [String]) async throws {
        var options = TestService.Options()
        options.isMeasured = isMeasured
        let metrics = isMeasured ? ServiceMetrics(factory: MetricRegistry(ServiceMetric.all)) : .none
        let clock = TestClock()
        let memory = MemoryObjectStore { clock.now }
        let store: any ObjectStore = isMeasured ? MeasuredObjectStore(memory, metrics, nil) : memory
        service = try await TestService.make(options, store: store, clock: clock)
        timers = RequestTimers(metrics, of: ServiceMetric.requestDuration)
        self.people = people
        for person in people { _ = try await service.signUp(.apple, person) }
    }

    /// Signs everyone in once. Returns the CPU time of the process for each sign-in, in microseconds.
    func signIns() async throws -> Double {
        let requests = try people.map { person in
            SignInRequest(
                provider: .apple, idToken: try service.token(.apple, person), device: TestService.device(1))
        }
        _ = service.store.drainRequests()
        let start = Self.processorTime()
        for request in requests {
            let begin = ContinuousClock.now
            _ = try await service.services.signIn.signIn(request, nil)
            timers.record(ContinuousClock.now - begin, route: "/auth/signin", method: .post, status: 200)
        }
        return (Self.processorTime() - start) / Double(requests.count)
    }

    /// The CPU time of the process so far, in microseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
    }
}
