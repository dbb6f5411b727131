import Foundation

/// The keys that a listing covers, as bounds in byte order.
struct KeyRange: Equatable {
    /// The inclusive lower bound.
    let lower: Data
    /// The exclusive upper bound.
    let upper: Data

    init(prefix: String, after: String?) {
        let start = Data(prefix.utf8)
        // The next key after `x` is at least `x` followed by the smallest byte; no key has a byte below the space.
        let next = after.map { Data($0.utf8) + [0] } ?? Data()
        let first = next.lexicographicallyPrecedes(start) ? start : next
        lower = first.isEmpty ? Data([0]) : first
        upper = Self.end(of: start)
    }

    /// Returns the bound after all keys with the prefix: its last byte incremented by one. UTF-8 has no byte 0xff, so
    /// this never overflows, and `ff` is after every key.
    private static func end(of prefix: Data) -> Data {
        guard let last = prefix.last else { return Data([0xff]) }
        return prefix.dropLast() + [last + 1]
    }
}
