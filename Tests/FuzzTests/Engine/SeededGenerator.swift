/// SplitMix64: a seed determines the same sequence in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter name: separates several sequences of one seed.
    init(seed: UInt64, for name: String) {
        // FNV-1a; Swift's own hashes differ between runs.
        state = name.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
