import Secrets

extension Randomness {
    /// Different numbers below a total, in order, each as likely as any other (Floyd's algorithm).
    /// - Parameter count: at most the total.
    func sample(_ count: Int, of total: Int) -> [Int] {
        if count == total { return Array(0..<total) }
        var chosen: Set<Int> = []
        for last in (total - count)..<total where !chosen.insert(number(upTo: last)).inserted { chosen.insert(last) }
        return chosen.sorted()
    }

    /// 64 bits are so many more than the numbers that none of them is noticeably likelier.
    private func number(upTo last: Int) -> Int {
        let value = bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(value % UInt64(last + 1))
    }
}
