import Secrets

extension Randomness {
    /// Returns distinct numbers below a total, sorted, each with equal probability (Floyd's algorithm).
    /// - Parameter count: At most the total.
    func sample(_ count: Int, of total: Int) -> [Int] {
        if count == total { return Array(0..<total) }
        var chosen: Set<Int> = []
        for last in (total - count)..<total where !chosen.insert(number(upTo: last)).inserted { chosen.insert(last) }
        return chosen.sorted()
    }

    /// Returns a random number from 0 to `last`. With 64 bits, the modulo bias is negligible.
    private func number(upTo last: Int) -> Int {
        let value = bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(value % UInt64(last + 1))
    }
}
