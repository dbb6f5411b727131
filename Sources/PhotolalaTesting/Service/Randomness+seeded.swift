import Secrets
import Synchronization

extension Randomness {
    /// Returns deterministic bytes from a seed (SplitMix64).
    package static func seeded(_ seed: UInt64) -> Randomness {
        let box = SeededState(seed)
        return Randomness { count in (0..<count).map { _ in UInt8(truncatingIfNeeded: box.next()) } }
    }
}

private final class SeededState: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) { state = Mutex(seed) }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
