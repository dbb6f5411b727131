import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import UseCases

/// Two or three concurrent actors, in orders and with faults determined by seeds.
///
/// `PHOTOLALA_SEEDS=10000 swift test --filter SimulationTests` runs more of them; `PHOTOLALA_SEED=17` repeats one.
@Suite(
    .compactMapIssues { issue in
        // Adds the seed to issues recorded by the store rules.
        guard let run = SimulatedRun.checked else { return issue }
        var issue = issue
        issue.comments.append("in \(run)")
        return issue
    })
struct SimulationTests {
    @Test("three concurrent actors with any faults lose no account, identity or acknowledged act")
    func schedules() async throws {
        let fixture = try await SimulatedOperation.prepare()
        try await SimulationSeeds(1000).forEach { seed in try await Self.run(seed, Self.randomOperations(seed), fixture)
        }
    }

    @Test("repair restores all lost bindings while two others act, and reports taken identities")
    func schedulesWithLoss() async throws {
        let fixture = try await SimulatedOperation.prepare()
        try await SimulationSeeds(500).forEach { seed in
            try await Self.run(seed, [.loseClaims] + Self.randomOperations(seed).suffix(2), fixture)
        }
    }

    @Test(
        "during a team transfer with two other acts Bob keeps one account, which the new id opens at the end")
    func schedulesWithTransfer() async throws {
        let fixture = try await SimulatedOperation.prepare(transferring: true)
        try await SimulationSeeds(250).forEach { seed in
            let transfer = SimulatedOperation.ofTransfer[Int(seed % 4)]
            try await Self.run(
                seed,
                [transfer]
                    + Self.randomOperations(seed, of: SimulatedOperation.ofTransfer + SimulatedOperation.ordinary)
                    .suffix(2),
                fixture
            )
        }
    }

    @Test("the same seed repeats the same run")
    func replay() async throws {
        let fixture = try await SimulatedOperation.prepare()
        for seed in UInt64(0)..<8 {
            let first = try await Self.run(seed, Self.randomOperations(seed), fixture)
            #expect(try await Self.run(seed, Self.randomOperations(seed), fixture) == first && !first.isEmpty)
        }
    }

    @discardableResult
    private static func run(
        _ seed: UInt64, _ operations: [SimulatedOperation], _ fixture: SimulatedOperation.Fixture
    ) async throws -> SimulationTrace {
        let clock = TestClock()
        let store = fixture.store.copy { clock.now }
        let simulation = Simulation(
            seed: seed, faultsInHundred: seed % 3 == 0 ? 0 : 6, leaping: seed % 4 == 3 ? clock : nil
        )
        let receiver = RecordingEventReceiver()
        let told = Mutex<[Int: SimulatedRun.ReportedResult]>([:])
        var actors: [@Sendable () async -> Void] = []
        for (number, act) in operations.enumerated() {
            let service = try await EventFixture.makeInstance(
                UInt64(number + 2), simulation.view(of: store, actor: number), clock, receiver)
            actors.append {
                var sessions: [Session] = []
                let error = await ServiceError.caught {
                    try await act.run(service, fixture, device: 10 + number) { sessions.append($0) }
                }
                told.withLock { $0[number] = SimulatedRun.ReportedResult(error: error, sessions: sessions) }
            }
        }
        let outcome = simulation.run(actors)
        let run = SimulatedRun(
            seed: seed, operations: operations, told: told.withLock { $0 }, trace: outcome.trace, fixture: fixture,
            service: try await EventFixture.makeInstance(9, store, clock, receiver), receiver: receiver
        )
        #expect(outcome.stuck == 0, "\(run)")
        try await SimulatedRun.$checked.withValue(run) { try await run.check() }
        return outcome.trace
    }

    /// Returns two or three acts, determined by the seed.
    private static func randomOperations(_ seed: UInt64, of all: [SimulatedOperation] = SimulatedOperation.ordinary)
        -> [SimulatedOperation]
    {
        let bytes = Randomness.seeded(seed &+ 1_000_000).bytes(4)
        return bytes.prefix(bytes[3] % 4 == 0 ? 2 : 3).map { byte in
            all[Int(byte) % all.count]
        }
    }
}
