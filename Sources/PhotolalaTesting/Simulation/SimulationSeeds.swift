import Foundation

/// The seeds of a test's schedules: `PHOTOLALA_SEEDS` sets their number, `PHOTOLALA_SEED` selects a single one to
/// reproduce a run.
package struct SimulationSeeds: Sendable {
    private let seeds: Range<UInt64>
    private let concurrency: Int

    /// - Parameter count: The number of seeds if the environment sets none.
    package init(_ count: UInt64) {
        let environment = ProcessInfo.processInfo.environment
        let one = environment["PHOTOLALA_SEED"].flatMap(UInt64.init)
        let many = environment["PHOTOLALA_SEEDS"].flatMap(UInt64.init)
        seeds = one.map { $0..<$0 + 1 } ?? 0..<(many ?? count)
        concurrency = max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Runs each seed, one per processor at a time, because a run blocks its thread.
    package func forEach(_ run: @escaping @Sendable (UInt64) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<concurrency {
                group.addTask {
                    for seed in stride(from: seeds.lowerBound + UInt64(worker), to: seeds.upperBound, by: concurrency) {
                        try await run(seed)
                        // Other tasks wait for at most one run.
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
