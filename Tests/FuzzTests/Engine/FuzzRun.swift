import PhotolalaTesting
import Synchronization

/// Feeds all parsers with inputs that seeds derive from their corpora.
struct FuzzRun: Sendable {
    /// Number of inputs per parser and seed.
    static let inputsPerSeed = 8

    let parsers: [FuzzedParser]
    /// The folder of the records.
    let folder: String

    /// The outcome of a run.
    struct Outcome: Sendable {
        var inputs = 0
        var accepted = 0
        /// The parsers that mishandled an input; each has a record of the first one.
        var failed: Set<String> = []
    }

    /// - Parameter seeds: the number of seeds, unless the environment overrides it.
    func run(seeds: UInt64) async throws -> Outcome {
        let outcome = Mutex(Outcome())
        let free = Mutex<[FuzzRecord]>([])
        try await SimulationSeeds(seeds).forEach { seed in
            let record = try free.withLock { $0.popLast() } ?? FuzzRecord(in: folder, name: "under way \(seed)")
            for parser in parsers where !outcome.withLock({ $0.failed.contains(parser.name) }) {
                try await run(parser, seed, record, outcome)
            }
            try record.clear()
            free.withLock { $0.append(record) }
        }
        return outcome.withLock { $0 }
    }

    private func run(
        _ parser: FuzzedParser, _ seed: UInt64, _ record: FuzzRecord, _ outcome: borrowing Mutex<Outcome>
    ) async throws {
        var mutator = Mutator(parser, seed: seed)
        for _ in 0..<Self.inputsPerSeed {
            let input = mutator.next()
            try record.begin(parser.name, seed, input)
            do {
                let isAccepted = try await parser.accepts(input)
                outcome.withLock { outcome in
                    outcome.inputs += 1
                    outcome.accepted += isAccepted ? 1 : 0
                }
            } catch {
                guard outcome.withLock({ $0.failed.insert(parser.name).inserted }) else { return }
                try FuzzRecord(in: folder, name: parser.name).begin("\(parser.name): \(error)", seed, input)
                return
            }
        }
    }
}
