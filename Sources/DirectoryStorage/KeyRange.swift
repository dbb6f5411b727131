import Foundation

/// The keys that a listing means, as bounds in byte order.
struct KeyRange: Equatable {
    /// The first key that may be in it.
    let lower: Data
    /// The first key that comes after it.
    let upper: Data

    init(prefix: String, after: String?) {
        let start = Data(prefix.utf8)
        // The next key after `x` begins with `x` and the smallest byte; no key has a byte below the space.
        let next = after.map { Data($0.utf8) + [0] } ?? Data()
        let first = next.lexicographicallyPrecedes(start) ? start : next
        lower = first.isEmpty ? Data([0]) : first
        upper = Self.end(of: start)
    }

    /// The bound behind all keys with the prefix: its last byte raised by one. UTF-8 has no byte 0xff, so raising
    /// never overflows, and `ff` is behind every key.
    private static func end(of prefix: Data) -> Data {
        guard let last = prefix.last else { return Data([0xff]) }
        return prefix.dropLast() + [last + 1]
    }
}
