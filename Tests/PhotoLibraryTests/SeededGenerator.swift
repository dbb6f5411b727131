import PhotolalaTesting
import Secrets

/// What follows from a seed is the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private let randomness: Randomness

    init(seed: UInt64) { randomness = .seeded(seed) }

    mutating func next() -> UInt64 { randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
