import Foundation

/// Which schedules a test goes through: `PHOTOLALA_SEEDS` of them, or `PHOTOLALA_SEED` alone, to see one again.
package struct SimulationSeeds: Sendable {
    private let seeds: Range<UInt64>
    private let atOnce: Int

    /// - Parameter count: how many, where the environment says nothing.
    package init(_ count: UInt64) {
        let environment = ProcessInfo.processInfo.environment
        let one = environment["PHOTOLALA_SEED"].flatMap(UInt64.init)
        let many = environment["PHOTOLALA_SEEDS"].flatMap(UInt64.init)
        seeds = one.map { $0..<$0 + 1 } ?? 0..<(many ?? count)
        atOnce = max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Runs each, one on every processor at a time: a run keeps its thread.
    package func forEach(_ run: @escaping @Sendable (UInt64) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<atOnce {
                group.addTask {
                    for seed in stride(from: seeds.lowerBound + UInt64(worker), to: seeds.upperBound, by: atOnce) {
                        try await run(seed)
                        // Nobody else waits for longer than a run.
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
