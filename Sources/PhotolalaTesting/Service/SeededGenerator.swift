import Secrets

/// A deterministic random number generator.
package struct SeededGenerator: RandomNumberGenerator {
    private let randomness: Randomness

    package init(seed: UInt64) { randomness = .seeded(seed) }

    package mutating func next() -> UInt64 { randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
