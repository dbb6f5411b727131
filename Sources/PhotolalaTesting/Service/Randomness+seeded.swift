import Secrets
import Synchronization

extension Randomness {
    /// Returns deterministic bytes from a seed (SplitMix64).
    package static func seeded(_ seed: UInt64) -> Randomness {
        let box = SeededState(seed)
        return Randomness { count in box.next(count) }
    }
}

private final class SeededState: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) { state = Mutex(seed) }

    func next(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            while bytes.count < count {
                state &+= 0x9e37_79b9_7f4a_7c15
                var mixed = state
                mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
                bytes.append(UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31)))
            }
            return bytes
        }
    }
}
